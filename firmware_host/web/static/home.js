// The view in which games begin: the match that can go on, the games, who plays, where and how.
import { html, icon } from "./elements.js";
import { learnerAt } from "./lessons.js";
import { optionsAt } from "./options.js";
import { seatingAt } from "./seating.js";
import { smallBoard } from "./small_board.js";
import { controlText } from "./clock.js";
import { capital, t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const DAY_MS = 24 * 3600 * 1000;

/**
 * A game of /api/games.
 * @typedef {{name: string, title: string, players: string, minutes: number | null,
 *   picture: import("./small_board.js").Picture,
 *   layouts: {name: string, label: string, sensing: string, caution: string}[],
 *   seats: {label: string, player: string, player_kind: string}[],
 *   player_kinds: {kind: string, label: string, about: string}[],
 *   presets: {label: string, about: string, options: Record<string, string>, begins: number}[],
 *   options: {name: string, label: string, help: string, values: string[], value_labels: string[],
 *     only_if: Record<string, string[]>}[]}} Game
 *
 * What is chosen for a game. `players` is null while everybody keeps their seat, `clock` while it stays as
 * it is; `preset` is the way to play from which the options were changed.
 * @typedef {{layout: string, preset: number, options: Record<string, string>, clock: string | null,
 *   players: {name: string, kind: string}[] | null}} Choice
 */

/**
 * Return the view. Call `drawAgain()` when the board or its language has changed.
 * @param {(then: (rev: number) => void) => void} leave asks first if a match is in play
 * @param {(view: string) => void} go shows another view
 * @param {(lesson: string) => void} begin begins a lesson or a puzzle
 */
export function homeAt(world, act, leave, go, begin) {
  const view = document.querySelector('[data-view="home"]');
  /** @type {Game[]} */
  let games = [];
  let past = null; // the answer of /api/home
  let chosen = ""; // the name of the chosen game
  let asked = ""; // for which state /api/home was asked
  let stale = false; // whether the choices are of a match before
  /** @type {Map<string, Choice>} */
  const choices = new Map();

  const now = {
    get game() { return games.find((game) => game.name === chosen); },
    get choice() { return choices.get(chosen); },
    get players() {
      return now.choice.players ?? now.game.seats.map((seat) => ({ name: seat.player, kind: seat.player_kind }));
    },
    get clock() { return now.choice.clock ?? (world.state?.clock?.control || "none"); },
    get timed() { return now.clock !== "none" || Boolean(world.state?.clock?.beside); },
    get names() { return past?.names ?? []; },
  };
  const seating = seatingAt(now, drawHow);
  const options = optionsAt(now, { changed: drawHow, play, change: () => seating.focus() });

  // ---- what is fetched

  // Fetch something in the page's language; null if it is not there, or another answer is on its way.
  async function fetched(path) {
    const { language } = world.board;
    try {
      const answer = await fetch(`${path}?lang=${language}${learnerAt()}${world.token("&")}`);
      const found = answer.ok ? await answer.json() : null;
      return language === world.board.language ? found : null;
    } catch {
      return null; // the lost connection is shown elsewhere
    }
  }

  async function fetchGames() {
    const found = await fetched("/api/games");
    if (!found) return;
    if (!stale && JSON.stringify(found) === JSON.stringify(games)) {
      drawHow(); // nothing else: somebody may be writing a name
      return;
    }
    games = found;
    if (stale) choices.clear();
    stale = false;
    for (const game of games) if (!choices.has(game.name)) choices.set(game.name, first(game));
    if (!now.game) chosen = (games.find((game) => game.name === world.board.game) ?? games[0]).name;
    draw();
  }

  async function fetchPast() {
    const key = asked;
    const found = await fetched("/api/home");
    $("home-form").dataset.ready = ""; // what stands above it is there, or does not come
    if (!found || key !== asked) return;
    past = found;
    drawPast();
    seating.offer();
  }

  // What is chosen for a game at first: what is played now, or what its rule sheet says.
  function first(game) {
    const { board, state } = world;
    const same = game.name === board.game && !state?.lesson && !state?.review;
    const known = game.layouts.some((layout) => layout.name === board.layout);
    const usual = Object.fromEntries(game.options.map((option) => [option.name, option.values[0]]));
    const values = same ? { ...usual, ...board.options } : usual;
    return {
      layout: known ? board.layout : game.layouts[0].name,
      preset: nearest(game.presets, values),
      options: values,
      clock: null,
      players: null,
    };
  }

  // ---- what is drawn

  function draw() {
    drawGames();
    drawChoice();
  }

  function drawGames() {
    const holder = $("home-games");
    const hadFocus = holder.contains(document.activeElement);
    holder.replaceChildren();
    holder.style.setProperty("--games", games.length);
    for (const game of games) {
      const card = html(holder, "label", { className: "game-card" });
      const radio = html(card, "input", { type: "radio", name: "home-game", value: game.name, className: "hidden" });
      radio.checked = game.name === chosen;
      radio.onchange = () => { chosen = game.name; drawChoice(); };
      smallBoard(html(card, "span", { className: "game-picture" }), game.picture);
      html(card, "span", { className: "game-title" }, game.title);
      const about = html(card, "span", { className: "game-about" });
      aboutGame(game).forEach((part, n) => { // a narrow card breaks the line only between the parts
        if (n) about.append(", ");
        html(about, "span", {}, part);
      });
      icon(html(card, "span", { className: "game-tick" }), "check");
      if (radio.checked && hadFocus) radio.focus();
    }
    const learn = html(holder, "a", { className: "game-card learn-card", href: "#/learn" });
    icon(learn, "learn");
    html(learn, "span", { className: "game-title" }, t("Learn"));
    html(learn, "span", { className: "game-about" }, t("Lessons and rules"));
  }

  function drawChoice() {
    seating.draw();
    drawWhere();
    options.draw();
    drawHow();
  }

  // The boards that serve the game, where there is a choice, and what the chosen one feels or cannot feel.
  function drawWhere() {
    const { game: { layouts }, choice } = now;
    const select = $("home-layout");
    select.replaceChildren();
    for (const layout of layouts) html(select, "option", { value: layout.name }, capital(layout.label));
    select.value = choice.layout;
    const few = select.hidden = layouts.length < 2;
    $("home-board").hidden = !few;
    $("home-board").textContent = capital(layouts[0].label);
    const about = () => {
      const { sensing, caution } = layouts.find((layout) => layout.name === choice.layout);
      $("home-caution").textContent = caution || (few ? "" : sensing);
      $("home-where").hidden = few && !caution;
    };
    select.onchange = () => { choice.layout = select.value; about(); };
    about();
  }

  // The rules, the clock and the main buttons in words.
  function drawHow() {
    const { game, choice } = now;
    $("home-rules").textContent = options.title();
    $("home-clock").textContent = controlText(now.clock);
    $("home-play-game").textContent = game.title;
    $("home-bar-play").querySelector("span").textContent = t("Play {game}", { game: game.title });
    $("home-bar-names").textContent = listed(now.players.map((_, seat) => seating.called(seat)));
    $("home-bar-about").textContent = [options.title(), controlText(now.clock)].join(" · ");
    seating.begins(options.begins());
    options.foot($("home-bar-names").textContent);
    refuse("");
  }

  function drawPast() {
    const match = past.unfinished;
    const holder = $("go-on");
    holder.hidden = !match;
    if (match) drawGoOn(holder, match);
    const { done, count } = past.lessons;
    $("home-lessons").hidden = !count;
    $("home-lessons-about").textContent = t("{done} of {count} done", { done, count });
    drawPuzzle(past.puzzle);
    $("home-past-about").textContent = tn("{n} played", "{n} played", past.played);
  }

  // The puzzle of the day: the same on every board.
  function drawPuzzle(puzzle) {
    const holder = $("home-puzzle");
    holder.hidden = !puzzle;
    const key = JSON.stringify(puzzle);
    if (!puzzle || holder.dataset.key === key) return;
    holder.dataset.key = key;
    holder.replaceChildren();
    const button = html(holder, "button", { type: "button", className: "panel" });
    smallBoard(html(button, "span", { className: "go-on-picture" }), puzzle.picture, puzzle.pieces);
    const text = html(button, "span", { className: "home-text" });
    html(text, "span", { className: "home-name" }, t("Puzzle of the day"));
    html(text, "span", {}, t("{game}: {title}", { game: puzzle.game, title: puzzle.title }));
    icon(button, puzzle.tried ? "check" : "right");
    if (puzzle.tried) html(button, "span", { className: "hidden" }, t("done"));
    button.onclick = () => begin(puzzle.name);
  }

  function drawGoOn(holder, match) {
    const key = JSON.stringify([match, world.board.language, world.state.lesson?.name, world.state.review?.match]);
    if (holder.dataset.key === key) return;
    holder.dataset.key = key;
    const hadFocus = holder.contains(document.activeElement);
    holder.replaceChildren();
    smallBoard(html(holder, "span", { className: "go-on-picture" }), match.picture, match.pieces);
    const text = html(holder, "p", { className: "go-on-text" });
    html(text, "strong", {}, t("{game}, {names}", { game: match.title, names: listed(match.names) }));
    const move = { when: dayOf(match.date), n: match.plies };
    const stopped = match.in_play ? t("Move {n}.", move) : t("{when}, move {n}.", move);
    html(text, "span", {}, `${stopped} ${match.turn}`);
    const button = html(holder, "button", { type: "button", id: "go-on-button" });
    icon(button, "play");
    html(button, "span", {}, t("Go on"));
    button.onclick = () => goOn(match);
    if (hadFocus) button.focus();
  }

  // ---- what is done

  async function goOn(match) {
    const { lesson, review } = world.state;
    const back = review ? ["review", { match: "" }] : ["lesson", { lesson: "" }];
    if (match.in_play && !lesson && !review) go("play");
    else if (await act(...(match.in_play ? back : ["resume", { match: match.id }]))) go("play");
    else refuse($("refused").textContent);
  }

  function play() {
    if (!options.check()) return;
    const { game, choice, players } = now;
    const fields = {
      game: game.name,
      layout: choice.layout,
      options: options.wanted(),
      names: players.map((player) => (player.kind === "person" ? player.name.trim() : "")),
      player_kinds: players.map((player) => player.kind),
      clock: now.clock,
    };
    leave(async (rev) => {
      if (await act("game", { ...fields, rev })) {
        stale = true;
        go("play");
      } else refuse($("refused").textContent);
    });
  }

  // Say why a game could not begin, where that was tried.
  function refuse(reason) {
    for (const line of view.querySelectorAll(".home-refused")) line.textContent = reason;
  }

  $("home-form").onsubmit = (event) => { event.preventDefault(); play(); };
  $("home-how").onclick = options.open;
  $("home-bar-who").onclick = () => seating.focus();

  return {
    opened() {
      if (!world.board) return;
      if (world.board.role.name !== "host") go("play");
      else {
        $("here").textContent = "Lampion";
        asked = "";
        if (stale) $("home-games").replaceChildren(); // hides the form: what is chosen there would be lost
        fetchGames();
      }
    },
    closed() { $("here").textContent = world.board.title; },
    show(state) {
      const key = JSON.stringify([state.plies.length, state.dice, state.outcome, state.lesson?.name, state.player_names, world.board.language]);
      if (key === asked || world.board.role.name !== "host") return;
      asked = key;
      fetchPast();
    },
    drawAgain() {
      const match = JSON.stringify([world.board.game, world.board.layout, world.board.options]);
      stale ||= (view.dataset.match ?? match) !== match;
      view.dataset.match = match;
      if (!view.hidden) this.opened();
    },
  };
}

// Return how many play, and about how long if that is known.
function aboutGame({ players, minutes }) {
  const many = t("{players} players", { players });
  return minutes ? [many, tn("{n} minute", "{n} minutes", minutes)] : [many];
}

function listed(names) {
  return new Intl.ListFormat(document.documentElement.lang).format(names);
}

// Return a day: today, yesterday, or its date.
function dayOf(date) {
  const { lang } = document.documentElement;
  const midnight = new Date().setHours(0, 0, 0, 0);
  const days = Math.round((new Date(date).setHours(0, 0, 0, 0) - midnight) / DAY_MS);
  const said = days > -7
    ? new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(days, "day")
    : new Intl.DateTimeFormat(lang, { day: "numeric", month: "long", year: "numeric" }).format(new Date(date));
  return capital(said);
}

// Return the number of the preset that has most of these options.
function nearest(presets, options) {
  const fits = ({ options: own }) => Object.entries(own).every(([name, value]) => options[name] === value);
  const size = (index) => Object.keys(presets[index].options).length;
  return presets.reduce((best, preset, index) => (fits(preset) && size(index) > size(best) ? index : best), 0);
}
