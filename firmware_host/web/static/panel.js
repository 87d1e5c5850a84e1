// The words beside the board: what it thinks, whom it asks, who plays, which moves were made.
import { showSitter } from "./company.js";
import { html } from "./elements.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const REST = 300; // ms: what is said for less than that is not worth a screen reader's while

// What a light on a place means, as a screen reader says it.
function meaning(name) {
  return {
    along: t("goes along"), attacks: t("a danger comes from here"), last: t("the last move"),
    pip: t("the number thrown"), turn: t("whose turn it is"),
    best: t("best"), fine: t("fine"), doubtful: t("doubtful"), losing: t("losing"),
    WHITE: t("from here"), BLUE: t("you may put it here"), RED: t("take off the piece here"),
    YELLOW: t("attention"), TEAL: t("advice"),
  }[name];
}

// The name of a man for people: its kind and, where that does not tell it already, its owner.
export function manName({ board }, man) {
  const kind = board.kinds[man.shows] || t("a piece face down");
  const seat = board.seats.find((each) => each.name === man.owner);
  return seat && !board.sole.includes(man.shows) ? t("{kind} of {seat}", { kind, seat: seat.label }) : kind;
}

// What who plays there is called: the own name, else the seat's.
export function called(world, index) {
  return world.state.players?.[index] || world.board.seats[index]?.label || "";
}

// A move as people tell it, with its notation beside it.
function told(parent, move) {
  const holder = html(parent, "span", { className: "told" });
  if (move.words) {
    html(holder, "span", { className: "words" }, move.words);
    holder.append(" ");
  }
  html(holder, "span", { className: "move" }, move.text);
}

// Give every place its label for screen readers.
export function labelPlaces(world) {
  const { drawing, state } = world;
  for (const [id, element] of drawing.targets) {
    const place = drawing.places.get(id);
    const parts = [place.label];
    const men = state.men.filter((man) => man.place === id);
    const top = men.at(-1);
    const named = top && isExpected(place, top); // the label of its tray has said what it is
    if (top && !named) parts.push(manName(world, top));
    if (top?.missing) parts.push(t("not seen there"));
    if (state.dots.includes(id)) parts.push(t("an unknown piece"));
    if (place.expects && !top) parts.push(t("empty"));
    if (named || men.length > 1) parts.push(tn("{n} piece", "{n} pieces", men.length));
    const light = state.lights[id];
    if (light && (light.level >= 0.3 || light.grade)) {
      parts.push(meaning(light.role || light.word));
      if (light.grade) parts.push(meaning(light.grade));
      if (light.then && !(light.grade && light.then === "TEAL")) parts.push(meaning(light.then));
    }
    if (state.put.includes(id)) parts.push(t("must be filled"));
    if (state.take.includes(id)) parts.push(t("must be emptied"));
    const next = state.mend[0];
    if (next && [next.from, next.to].includes(id)) parts.push(next.text);
    if (state.masked.includes(id)) parts.push(t("its sensor seems broken"));
    const label = parts.join(", ");
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    element.classList.toggle("masked", state.masked.includes(id));
  }
}

// Whether a man lies in the tray that is meant for its kind, as one of its owner's or of nobody's.
function isExpected(place, man) {
  return man.shows === place.expects && (!man.owner || place.name.split(".").includes(man.owner));
}

export function replaceText(element, text) { // a live region speaks only of what changed
  if (element.textContent !== text) element.textContent = text;
}

// Show whether more is said below what is seen.
function fade(holder) {
  const below = holder.scrollHeight - holder.clientHeight - holder.scrollTop;
  holder.toggleAttribute("data-more", below > 3);
}

let heard = []; // what the board said when a screen reader was told of it last
let resting = 0;

// Tell a screen reader what is new in what the board says, once that has come to rest: each sentence
// once. What is urgent was told it at once.
function tell({ says, urgent }) {
  const fresh = says.filter((line) => !heard.includes(line) && !urgent.includes(line));
  heard = says;
  for (const line of fresh) html($("spoken"), "p", {}, line);
}

// What the board says, most urgent first.
export function showSays(state) {
  const holder = $("says");
  const lines = state.says;
  const key = JSON.stringify(lines);
  if (holder.dataset.key !== key) {
    holder.dataset.key = key;
    clearTimeout(resting);
    $("spoken").replaceChildren();
    resting = setTimeout(tell, REST, state);
    holder.replaceChildren();
    for (const line of lines) html(holder, "p", {}, line);
    holder.onscroll = () => fade(holder);
    requestAnimationFrame(holder.onscroll);
  }
  holder.classList.toggle("over", Boolean(state.outcome));
  replaceText($("alarm"), state.urgent.join(" "));
}

// The open question as buttons; each answer may also be given on the board.
export function showQuestion(state, act) {
  const holder = $("question");
  const key = JSON.stringify([state.question, state.may, document.documentElement.lang]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  holder.hidden = !state.question.length || !state.may.includes("choose");
  if (holder.hidden) return;
  html(holder, "p", {}, state.question.length > 1
    ? t("Which move was it? Answer here, with a button, or on a lit place.")
    : t("If it was played, say so here or on the lit place."));
  const row = html(holder, "div", { className: "row", role: "group" });
  for (const choice of state.question) {
    const button = html(row, "button", { type: "button", className: "choice", "data-move": choice.move });
    told(button, { words: choice.words, text: choice.move });
    if (choice.name) html(button, "span", { className: "where" }, `(${choice.name})`);
    if (choice.button) html(button, "kbd", {}, choice.button === "yes" ? t("Yes") : t("No"));
    button.onclick = () => act("choose", { move: choice.move });
  }
}

// The buttons of the board: what each would do now; one that would do nothing cannot be pressed,
// nor one that is for another role or seat now.
export function showButtons({ buttons, may, mend }) {
  $("mending").hidden = !mend.length || !may.includes("setup");
  $("move").disabled = !may.includes("play");
  $("played").disabled = !may.includes("name");
  for (const button of document.querySelectorAll("[data-press]")) {
    const { press } = button.dataset;
    const does = may.includes(press) ? buttons[press] : undefined;
    button.disabled = does === undefined;
    replaceText(button.querySelector(".does"), does ? `(${does})` : "");
  }
}

// What a seat has scored so far, to stand behind its name; nothing where points are not counted.
function score(board, state, seat) {
  const points = state.outcome?.points?.[seat] ?? state.points[seat];
  if (points === undefined) return "";
  return `: ${board.goal ? t("{points} of {goal}", { points, goal: board.goal }) : points}`;
}

// Whether a page's user speaks for a seat: the host does for all.
function speaksFor(role, seat) {
  return role.name === "host" || role.seat === seat;
}

// One card a seat: whose turn it is, how much the lights tell it, what it may claim.
export function showSeats(world, act, confirm) {
  const { board, state } = world;
  const holder = $("seats");
  const key = JSON.stringify([board.seats, state.turn, state.assist, state.claims, state.unseen, state.outcome,
    state.players, state.points, state.company, Boolean(state.clock), board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  const inside = holder.contains(document.activeElement);
  const focused = document.activeElement?.dataset.key;
  const typed = document.activeElement?.value; // somebody is writing a name while others play
  holder.replaceChildren();
  for (const seat of board.seats) {
    const turn = state.turn === seat.index && !state.outcome;
    const card = html(holder, "li", { className: `seat colour-${seat.colour} ${turn ? "turn" : ""}` });
    const name = called(world, seat.index);
    html(card, "span", { className: "swatch", "aria-hidden": "true" });
    html(card, "strong", {}, name + score(board, state, seat.index));
    if (name !== seat.label) html(card, "span", { className: "side" }, seat.label);
    if (state.clock) html(card, "time", { className: "clock" });
    if (turn) html(card, "span", { className: "mark" }, t("to move"));
    if (state.outcome?.winners.includes(seat.index)) html(card, "span", { className: "mark" }, t("won"));
    if (!speaksFor(board.role, seat.index)) continue;
    const own = html(card, "input", {
      className: "name", maxLength: 30, value: state.players?.[seat.index] ?? "", autocomplete: "off",
      placeholder: t("Name"), "aria-label": t("Name of the player: {seat}", { seat: seat.label }),
    });
    own.dataset.key = `name ${seat.index}`;
    own.onchange = () => act("player", { seat: seat.index, name: own.value, rev: state.rev });
    const row = html(card, "div", { className: "row" });
    const levels = [t("Lights: turn"), t("Lights: last move"), t("Lights: targets"), t("Lights: threats")];
    const select = html(row, "select", { "aria-label": t("Lights for {seat}", { seat: seat.label }) });
    select.dataset.key = `assist ${seat.index}`;
    levels.forEach((name, level) => html(select, "option", { value: level }, name));
    select.value = state.assist[seat.index] ?? 2;
    select.onchange = () => act("assist", { seat: seat.index, level: Number(select.value) });
    showSitter(row, world, seat, act);
    showClaims(row, state.claims.filter((each) => each.seat === seat.index), act, confirm);
    if (turn && state.unseen.length) showUnseen(card, world, act);
  }
  const again = focused && holder.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  if (again?.className === "name") again.value = typed;
  if (again) again.focus();
  else if (inside) $("says").focus({ preventScroll: true }); // what it was for has been said
}

// The times of a clock beside the board; between what it says they go down here.
let clock = null;
export function showClock(state) {
  clock = state.clock && { ...state.clock, since: performance.now() };
  tickClock();
}
function tickClock() {
  document.querySelectorAll("#seats .clock").forEach((holder, seat) => {
    const gone = seat === clock?.running ? (performance.now() - clock.since) / 1000 : 0;
    const left = Math.ceil(Math.max(0, (clock?.left[seat] ?? 0) - gone));
    replaceText(holder, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
  });
}
setInterval(() => { if (clock?.running != null) tickClock(); }, 250);

// What a seat may say: a button each, or a list where it may say much of a kind (where rajas return).
function showClaims(row, claims, act, confirm) {
  const say = ({ seat, claim, says }) => confirm(() => says, (rev) => act("claim", { seat, claim, rev }));
  const kinds = new Map();
  for (const claim of claims) {
    const kind = claim.claim.split(" ")[0];
    kinds.set(kind, [...(kinds.get(kind) || []), claim]);
  }
  for (const [kind, alike] of kinds) {
    const key = `claim ${alike[0].seat} ${kind}`;
    if (alike.length > 4) {
      const select = html(row, "select", { className: "claim", "aria-label": t("What to say") });
      for (const claim of alike) html(select, "option", {}, claim.label);
      select.dataset.key = key;
      const button = html(row, "button", { type: "button", className: "claim" }, t("Say it"));
      button.dataset.key = `${key} said`;
      button.onclick = () => say(alike[select.selectedIndex]);
      continue;
    }
    for (const claim of alike) {
      const button = html(row, "button", { type: "button", className: "claim", title: claim.says }, claim.label);
      button.dataset.key = alike.length > 1 ? `${key} ${claim.claim}` : key;
      button.onclick = () => say(claim);
    }
  }
}

// The moves that no sensor would show: who makes one says so. Hands bring what is not yet there.
function showUnseen(card, { board, state }, act) {
  const row = html(card, "div", { className: "row unseen", role: "group", "aria-label": t("No sensor sees this, so say it here:") });
  html(row, "span", {}, t("No sensor sees this, so say it here:"));
  for (const { move, words } of state.unseen) {
    const button = html(row, "button", { type: "button" }, words);
    button.dataset.key = `unseen ${move}`;
    button.onclick = () => act(board.hands ? "play" : "name", { move });
  }
}

// The moves in order; the last one may still change, one that is asked about shows `?`.
export function showPlies(world) {
  const { board, state } = world;
  const holder = $("plies");
  const key = JSON.stringify([state.plies, state.players, board.game, board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  for (const ply of state.plies) {
    const line = html(holder, "li", { value: ply.number, className: ply.provisional ? "open" : "" });
    const who = html(line, "span", { className: `who colour-${board.seats[ply.seat]?.colour}` });
    html(who, "span", { className: "swatch", "aria-hidden": "true" });
    who.append(called(world, ply.seat));
    if (ply.dice.length) html(line, "span", { className: "die" }, ply.dice.join("+"));
    told(line, ply);
    if (ply.candidates.length) html(line, "span", {}, ply.candidates.join(" / "));
    if (ply.unsafe) html(line, "span", { className: "mark" }, t("not saved yet"));
  }
  holder.scrollTop = holder.scrollHeight;
}

// The dice: throw them, say how real ones fell, or that they fell otherwise.
export function showDice(state, act) {
  const holder = $("dice");
  const key = JSON.stringify([state.throws, state.dice, state.fallen, state.otherwise, state.may, state.rev]);
  holder.hidden = ![state.throws, state.dice, state.fallen].some((each) => each.length);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  if (state.fallen.length) html(holder, "p", { className: "thrown" }, t("Thrown: {dice}", { dice: state.fallen.join(" + ") }));
  else if (state.dice.length) html(holder, "p", { className: "thrown" }, t("Still to play: {dice}", { dice: state.dice.join(" + ") }));
  const values = (row, throws, instead, name) => {
    for (const dice of throws) {
      const label = dice.join("+");
      const one = html(row, "button", { type: "button", className: "value", "aria-label": name(label) }, label);
      one.onclick = () => act("throw", { rev: state.rev, dice, instead });
    }
  };
  if (state.otherwise.length && state.may.includes("instead")) {
    const row = html(holder, "div", { className: "row otherwise", role: "group", "aria-label": t("The dice show something else:") });
    html(row, "span", {}, t("The dice show something else:"));
    values(row, state.otherwise, true, (dice) => t("The dice show {dice} instead", { dice }));
  }
  if (!state.throws.length || !state.may.includes("throw")) return;
  const row = html(holder, "div", { className: "row" });
  const any = html(row, "button", { type: "button", className: "main" }, tn("Throw the die", "Throw the dice", state.throws[0].length));
  any.onclick = () => act("throw", { rev: state.rev, dice: [] });
  values(row, state.throws, false, (dice) => t("The dice show {dice}", { dice }));
}

// What lies beside the board, kinds together.
export function showBox(world, lift) {
  const holder = $("box");
  const men = world.state.men.filter((man) => man.place === "box");
  $("box-holder").hidden = !men.length && !world.board.hands; // nobody knows what lies beside a real board
  const key = JSON.stringify([men, world.board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  const heaps = new Map();
  for (const man of men) {
    const kind = `${man.owner} ${man.shows}`;
    heaps.set(kind, [...(heaps.get(kind) || []), man]);
  }
  for (const heap of heaps.values()) {
    const item = html(holder, "li");
    const name = manName(world, heap[0]);
    const text = heap.length > 1 ? `${name} ×${heap.length}` : name;
    if (world.board.hands && world.board.role.name !== "watcher") html(item, "button", { type: "button" }, text).onclick = () => lift(heap.at(-1));
    else item.textContent = text;
  }
  if (!men.length) html(holder, "li", { className: "nothing" }, t("Nothing lies beside the board."));
}
