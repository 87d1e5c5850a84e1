// The games that were played: the list, what can be done with one, the score of the evening.
import { html, icon } from "./elements.js";
import { menuOf } from "./menu.js";
import { smallBoard } from "./small_board.js";
import { capital, t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const TOAST_MS = 8000;
const TYPING_MS = 250; // after the last key the search begins
const AGAIN_MS = 300; // between two looks while journals are being read
const PAGE = 30;
const MOST = 100; // that the board lists at once
const EVENING = 17; // o'clock
const DAY_MS = 86400000;

/**
 * A past match, as /api/matches lists it.
 * @typedef {{id: string, file: string, game: string, title: string, names: string[],
 *   seats: {seat: string, name: string, kind: string, points: number | null}[], result: string,
 *   outcome: object | null, date: string, plies: number, unfinished: boolean, in_play: boolean,
 *   problem: string, origin: string, origin_match: string, formats: string[],
 *   pieces: {place: string, face: string, owner: string}[]}} PastMatch
 */

/**
 * Show the games that were played.
 * @param {object} world the last messages of the board
 * @param {(type: string, fields: object) => Promise<boolean>} act sends a command
 * @param {(then: (rev: number) => void) => void} leave asks before a match in play is left
 * @param {(view: string, parameter?: string) => void} go shows another view
 */
export function gamesAt(world, act, leave, go) {
  const view = document.querySelector('[data-view="games"]');
  const toast = toastAt($("games-toast"));
  let games = new Map(); // by name, what /api/games says of each
  let language = ""; // … in this language
  let chosen = ""; // the game that the list is of; "" for all
  let next = ""; // where the rest of the list begins
  let shown = []; // the matches of the list
  let drawn = ""; // … and in which language and for whom they were drawn
  let seen = ""; // the match in play as it was when the list was fetched
  let asked = 0; // the number of the last question to the board
  let timer = 0;

  // ---- from the board

  const address = (path, query = {}) => {
    const all = new URLSearchParams({ lang: world.board.language, ...query });
    return `${path}?${all}${world.token("&")}`;
  };

  async function load(more = false) {
    clearTimeout(timer);
    if (view.hidden || !world.board) return;
    asked += 1;
    const number = asked;
    try {
      await loadGames();
      const limit = more ? PAGE : Math.min(MOST, Math.max(PAGE, shown.length));
      const query = { game: chosen, search: $("games-search").value.trim(), limit, after: more ? next : "" };
      const answer = await fetch(address("/api/matches", query));
      const told = await answer.json();
      if (number !== asked) return;
      const full = told.reading && !more && $("games-list").children.length >= PAGE;
      if (full) drawReading(told); // the latest games are read first: they are there
      else draw(told, more);
      if (told.reading) timer = setTimeout(load, AGAIN_MS);
    } catch { /* the lost connection is shown elsewhere */ }
  }

  async function loadGames() {
    if (language === world.board.language) return;
    const answer = await fetch(address("/api/games"));
    games = new Map((await answer.json()).map((game) => [game.name, game]));
    language = world.board.language;
    drawChips();
    $("games-search").placeholder = t("Search by name");
    $("games-archive").href = address("/api/archive");
  }

  // ---- the list

  function draw(told, more) {
    next = told.next;
    drawRows(told.matches, more);
    $("games-more").hidden = !next;
    const none = !told.matches.length && !more && !told.reading;
    $("games-none").hidden = !none;
    const looked = chosen || $("games-search").value.trim();
    $("games-none").textContent = looked ? t("No game matches that.") : t("No game was played here yet.");
    drawReading(told);
    drawEvening(told.evening);
  }

  function drawReading({ reading, total }) {
    const looked = chosen || $("games-search").value.trim();
    $("games-reading").textContent = reading
      ? t("The games are being read: {done} of {total}.", reading)
      : looked ? tn("{n} game", "{n} games", total) : "";
  }

  // Draw the rows, unless they are there already: a menu may be open in one of them.
  function drawRows(matches, more) {
    const list = $("games-list");
    const first = more ? shown.length : 0;
    shown = more ? [...shown, ...matches] : matches;
    const key = JSON.stringify([language, world.board.role.name, shown]);
    if (key === drawn) return;
    drawn = key;
    const focus = more ? null : focused(list);
    if (!more) list.replaceChildren();
    for (const match of matches) drawOne(html(list, "li"), match);
    list.querySelector("[data-go-on]")?.classList.add("main"); // only one main button
    if (more) list.children[first]?.querySelector(".act, button")?.focus();
    else if (focus) (list.querySelector(focus) ?? $("games-title")).focus({ preventScroll: true });
  }

  // A selector of what has the focus in the list, so that it has it again when the list is redrawn.
  function focused(list) {
    const one = document.activeElement;
    const item = list.contains(one) ? one.closest("li") : null;
    if (!item) return null;
    return `[data-match="${CSS.escape(item.dataset.match)}"] ${one.dataset.act ? `[data-act="${one.dataset.act}"]` : "a"}`;
  }

  function drawOne(item, match) {
    item.dataset.match = match.id;
    const board = html(item, "div", { className: "thumb" });
    const game = games.get(match.game);
    if (game) whenNear(board, () => smallBoard(board, game.picture, match.pieces));
    const what = html(item, "div", { className: "what" });
    const title = html(what, "h2", { id: `past-${match.id}` }, match.result);
    const names = match.seats.map(({ points }, seat) => `${match.names[seat]}${points === null ? "" : ` ${points}`}`);
    html(what, "p", {}, names.length ? t("{game}: {names}", { game: match.title, names: names.join(", ") }) : match.title);
    if (match.origin) {
      const note = html(what, "p", { className: "note" });
      if (match.origin_match) html(note, "a", { href: reviewOf(match.origin_match) }, match.origin);
      else note.textContent = match.origin;
    }
    if (match.problem) html(what, "p", { className: "note" }, match.problem);
    const when = html(item, "p", { className: "when" });
    html(when, "time", { dateTime: match.date }, dayOf(match.date));
    if (match.game) html(when, "span", {}, tn("{n} move", "{n} moves", match.plies));
    const readable = Boolean(match.game);
    const mayGoOn = readable && match.unfinished && (match.in_play || world.board.role.name === "host");
    if (mayGoOn) {
      const button = html(item, "button", { type: "button", className: "act", "data-act": "go-on", "data-go-on": "" });
      icon(button, "play");
      html(button, "span", {}, t("Go on"));
      button.onclick = () => goOn(match);
      describe(button, title);
    } else if (readable) {
      const link = html(item, "a", { className: "button act", href: reviewOf(match.id), "data-act": "look" });
      icon(link, "eye");
      html(link, "span", {}, t("Look at it"));
      describe(link, title);
    }
    const holder = html(item, "div", { className: "more" });
    const more = html(holder, "button", { type: "button", className: "plain", "data-act": "more" });
    more.setAttribute("aria-label", t("More: {game}, {day}", { game: match.title, day: dayOf(match.date) }));
    icon(more, "more");
    menuOf(more, () => menuItems(match, mayGoOn));
  }

  const describe = (button, title) => button.setAttribute("aria-describedby", title.id);
  const reviewOf = (id) => `#/review/${encodeURIComponent(id)}`;

  function menuItems(match, mayGoOn) {
    const save = (format) => ({
      text: formatName(format), icon: "file",
      href: address(`/api/matches/${encodeURIComponent(match.id)}/file`, { format }),
    });
    const items = [];
    if (mayGoOn) items.push({ text: t("Look at it"), icon: "eye", act: () => go("review", match.id) });
    if (!mayGoOn && match.game && !match.in_play && world.board.role.name === "host") {
      items.push({ text: t("Put it on the board"), icon: "play", act: () => goOn(match) });
    }
    items.push(match.formats.length > 1
      ? { text: t("Save as …"), icon: "down", more: () => match.formats.map(save) }
      : { ...save(match.formats[0]), text: t("Save the file"), icon: "down" });
    if (world.board.role.name === "host" && !match.in_play) {
      items.push({ text: t("Delete"), icon: "trash", act: () => remove(match) });
    }
    return items;
  }

  // ---- what can be done

  function goOn(match) {
    if (match.in_play) go("play");
    else {
      leave(async (rev) => {
        if (await act("resume", { match: match.id, rev })) go("play");
        else alarm($("refused").textContent);
      });
    }
  }

  async function remove(match) {
    const byKeyboard = document.activeElement?.matches(":focus-visible");
    if (!await act("delete", { match: match.id })) {
      alarm($("refused").textContent);
      return;
    }
    const said = t("{game}, {day}: deleted", { game: match.title, day: dayOf(match.date) });
    toast.show(said, t("Bring it back"), "undo", () => restore(match), byKeyboard);
    await load();
  }

  async function restore(match) {
    if (!await act("restore", { match: match.id })) alarm($("refused").textContent);
    await load();
    view.querySelector(`[data-match="${CSS.escape(match.id)}"] .act`)?.focus();
  }

  // Send files to the board, one after the other.
  async function take(files) {
    alarm("");
    for (const file of files) {
      const query = { name: file.name, changed: file.lastModified };
      try {
        const answer = await fetch(address("/api/matches", query), { method: "POST", body: file });
        const told = await answer.json();
        if (!answer.ok) alarm(told.reason);
        else kept(told);
      } catch {
        alarm(t("Not sent: there was no connection to the board."));
      }
    }
    await load();
  }

  function kept({ matches, notes }) {
    alarm(notes.join(" "));
    const said = tn("{n} game is here now", "{n} games are here now", matches.length);
    if (matches.length === 1) toast.show(said, t("Look at it"), "eye", () => go("review", matches[0]));
    else toast.show(said);
  }

  function alarm(text) {
    $("games-alarm").textContent = text;
  }

  // ---- beside the list

  function drawChips() {
    const chips = $("games-chips");
    const had = chips.contains(document.activeElement) ? document.activeElement.dataset.game : null;
    chips.replaceChildren();
    for (const [name, title] of [["", t("All")], ...[...games].map(([name, game]) => [name, game.title])]) {
      const chip = html(chips, "button", { type: "button", className: "games-chip", "data-game": name });
      chip.setAttribute("aria-pressed", String(name === chosen));
      icon(chip, "check");
      html(chip, "span", {}, title);
      chip.onclick = () => {
        chosen = name;
        for (const each of chips.children) each.setAttribute("aria-pressed", String(each.dataset.game === chosen));
        shown = [];
        load();
      };
    }
    if (had !== null) chips.querySelector(`[data-game="${had}"]`)?.focus();
  }

  function drawEvening(evening) {
    const hour = new Date().getHours(); // the board counts from 4 o'clock on
    $("evening-title").textContent = hour >= 4 && hour < EVENING ? t("Today") : t("This evening");
    const score = $("evening");
    score.replaceChildren();
    for (const { name, wins } of evening) {
      const row = html(score, "li");
      html(row, "span", {}, name);
      html(row, "strong", {}, wins);
    }
    const none = $("evening-none");
    none.hidden = evening.length > 0;
    none.textContent = world.state?.player_names.some(Boolean) ? t("No win to count yet.")
      : t("Write names beside the seats: then wins are counted here.");
  }

  function formatName(format) {
    return {
      kif: "KIF", csa: "CSA", usi: "USI", "aba-pro": "Aba-Pro", text: t("Text, to read"),
      json: t("JSON, for programs"), journal: t("Lampion, for another board"),
    }[format] ?? format;
  }

  // Return when a match was played, in few words.
  function dayOf(date) {
    const lang = world.board.language === "en" ? "en-GB" : world.board.language;
    const at = new Date(date);
    const time = at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const days = Math.round((midnight(new Date()) - midnight(at)) / DAY_MS);
    if (days === 0) return t("Today {time}", { time });
    if (days === 1) return t("Yesterday {time}", { time });
    if (days > 1 && days < 7) return `${capital(at.toLocaleDateString(lang, { weekday: "long" }))} ${time}`;
    const year = at.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
    return at.toLocaleDateString(lang, { day: "numeric", month: "long", year });
  }

  const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

  // ---- what is set up once

  $("games-search").oninput = () => {
    shown = [];
    clearTimeout(timer);
    timer = setTimeout(load, TYPING_MS);
  };
  $("games-more").onclick = () => load(true);
  $("games-choose").onclick = () => $("games-file").click();
  $("games-file").onchange = () => {
    take([...$("games-file").files]);
    $("games-file").value = "";
  };
  for (const kind of ["dragenter", "dragover"]) {
    view.addEventListener(kind, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      view.classList.add("drop-here");
    });
  }
  view.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!view.contains(relatedTarget)) view.classList.remove("drop-here");
  });
  view.addEventListener("drop", () => view.classList.remove("drop-here")); // the page takes the files

  return {
    take,
    opened() {
      load();
    },
    closed() {
      alarm("");
      clearTimeout(timer);
      toast.close();
    },
    // The match in play is in the list, too.
    show({ plies, outcome, player_names: names }) {
      const now = JSON.stringify([plies.length, outcome?.result, names]);
      if (seen && seen !== now) {
        clearTimeout(timer);
        timer = setTimeout(load, AGAIN_MS);
      }
      seen = now;
    },
    // Call it when the board or its language has changed.
    drawAgain() {
      load();
    },
  };
}

const waiting = new WeakMap(); // by element, what is done when it comes near
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    waiting.get(target)();
  }
}, { rootMargin: "400px" });

// Do something when an element comes near to what is seen of the page.
function whenNear(element, act) {
  waiting.set(element, act);
  near.observe(element);
}

// A message that goes by itself, but not while it has the focus or the pointer.
function toastAt(holder) {
  let timer = 0;

  function close() {
    clearTimeout(timer);
    holder.replaceChildren();
  }

  function wait() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (holder.matches(":hover") || holder.contains(document.activeElement)) wait();
      else close();
    }, TOAST_MS);
  }

  return {
    close,
    show(text, label, picture, act, focus) {
      close();
      const box = html(holder, "div", { className: "toast" });
      html(box, "p", {}, text);
      if (label) {
        const button = html(box, "button", { type: "button" });
        icon(button, picture);
        html(button, "span", {}, label);
        button.onclick = () => {
          close();
          act();
        };
        if (focus) button.focus();
      }
      wait();
    },
  };
}
