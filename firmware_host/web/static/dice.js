// The dice: touch them to throw, touch a number to report how real ones fell or to correct that.
import { html, svg } from "./elements.js";
import { pictureOf } from "./pieces.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const PIPS = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

function drawDie(parent, number) {
  const face = svg(parent, "svg", { class: "face", viewBox: "-50 -50 100 100", "aria-hidden": "true" });
  for (const [x, y] of PIPS[number] ?? []) svg(face, "circle", { cx: 22 * x, cy: 22 * y, r: 8.5 });
  return face;
}

/** Show the dice of a game that has some; they keep their room while nobody throws. */
export function showDice(world, act) {
  const { state, board } = world;
  const holder = $("dice");
  const has = state.throws.length || state.dice.length || state.last_throw.length;
  if (has) holder.hidden = false;
  else if (!board.has_dice) holder.hidden = true;
  const key = JSON.stringify([state.throws, state.dice, state.last_throw, state.corrections, state.allowed, state.rev, board.language]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.classList.toggle("two", [state.throws[0], state.last_throw, state.dice, state.plies.at(-1)?.dice].some((dice) => dice?.length > 1));
  const inside = holder.contains(document.activeElement);
  const open = Boolean(holder.querySelector(".corrections")?.open) && state.corrections.length > 0;
  holder.replaceChildren();
  const mayThrow = mayThrowNow(state);
  const big = html(holder, "div", { className: "dice" });
  if (mayThrow) showThrow(big, holder, state, act);
  else showThrown(big, holder, world);
  showCorrections(holder, state, act, open);
  if (inside) holder.querySelector("button")?.focus({ preventScroll: true });
}

/** Whether a person of this board is to throw, and this page may do it. */
export function mayThrowNow({ throws, allowed, opponents, acting }) {
  return throws.length > 0 && allowed.includes("throw") && (opponents?.player_kinds[acting] ?? "person") === "person";
}

function showThrow(big, holder, state, act) {
  const count = state.throws[0].length;
  const any = html(big, "button", { type: "button", className: "die to-throw", "aria-label": tn("Throw the die", "Throw the dice", count) });
  const seen = state.last_throw.length ? state.last_throw : state.throws.at(-1);
  for (let n = 0; n < count; n += 1) drawDie(any, seen[n] ?? 4);
  any.onclick = () => {
    any.classList.add("rolls");
    act("throw", { rev: state.rev, dice: [] });
  };
  values(holder, state.throws, tn("My die shows", "My dice show", count), (dice) => t("The dice show {dice}", { dice }),
    (dice) => act("throw", { rev: state.rev, dice, correction: false }));
}

function showThrown(big, holder, world) {
  const { state } = world;
  const fallen = state.last_throw.length ? state.last_throw : state.dice;
  for (const number of fallen) {
    const die = html(big, "span", { className: `die thrown ${state.dice.length && !state.dice.includes(number) ? "played" : ""}` });
    drawDie(die, number);
  }
  const movers = moversOf(world);
  if (movers.length) {
    const beside = html(holder, "div", { className: "beside" });
    html(beside, "p", {}, t("{dice} moves", { dice: state.dice.join(" + ") }));
    const row = html(beside, "p", { className: "movers" });
    movers.forEach((piece, n) => {
      if (n) html(row, "span", {}, t("or"));
      pictureOf(row, world.board, piece);
    });
  }
}

// Say what was thrown, and offer what it may be corrected to.
function showCorrections(holder, state, act, open) {
  if (state.last_throw.length) html(holder, "p", { className: "hidden" }, t("Thrown: {dice}", { dice: state.last_throw.join(" + ") }));
  else if (state.dice.length) html(holder, "p", { className: "hidden" }, t("Still to play: {dice}", { dice: state.dice.join(" + ") }));
  if (state.corrections.length && state.allowed.includes("correction")) {
    const more = html(holder, "details", { className: "corrections", open });
    const title = tn("The die shows something else:", "The dice show something else:", state.corrections[0].length);
    html(more, "summary", {}, title);
    values(more, state.corrections, "", (dice) => t("The dice show {dice} instead", { dice }),
      (dice) => act("throw", { rev: state.rev, dice, correction: true }));
  }
}

// Return a piece of each kind that is lit for the dice.
function moversOf({ state }) {
  if (!state.dice.length) return [];
  const kinds = new Map();
  for (const piece of state.pieces) {
    const light = state.lights[piece.place];
    if (light?.signal === "WHITE" && !light.role && light.level >= 0.3) kinds.set(piece.face, { face: piece.face, owner: piece.owner });
  }
  return [...kinds.values()];
}

function values(parent, throws, label, name, then) {
  const beside = html(parent, "div", { className: "beside" });
  if (label) html(beside, "p", {}, label);
  const row = html(beside, "div", { className: `values ${throws.length > 6 ? "many" : ""} ${throws.length > 10 ? "most" : ""}`, role: "group", "aria-label": label || t("Dice") });
  for (const dice of throws) {
    const one = html(row, "button", { type: "button", className: "value", "aria-label": name(dice.join("+")) });
    for (const number of dice) drawDie(one, number);
    one.onclick = () => then(dice);
  }
}
