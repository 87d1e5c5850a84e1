// What is in place while the board is set up: it stands where the moves stand later.
import { html, icon } from "./elements.js";
import { pictureOf } from "./pieces.js";
import { pieceName } from "./places.js";
import { capital, t } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Return how many pieces are in place; "" unless the board is set up. */
export function inPlace({ set_up: kinds }) {
  const sum = (name) => kinds.reduce((total, kind) => total + kind[name], 0);
  return kinds.length ? t("{n} of {count} pieces are in place", { n: sum("in_place"), count: sum("count") }) : "";
}

/** Show the kinds of pieces, each with a tick when all of it is in place. */
export function showSetUp(world) {
  const { board, state } = world;
  const list = $("set-up");
  $("moves-title").textContent = inPlace(state) || t("Moves");
  list.hidden = !state.set_up.length;
  for (const id of ["plies", "steps"]) $(id).hidden = !list.hidden;
  const key = JSON.stringify([state.set_up, state.player_names, board.game, board.seats, board.language, document.getElementById("drawings").childElementCount]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren();
  for (const kind of state.set_up) {
    const done = kind.in_place === kind.count;
    const item = html(list, "li", { className: done ? "done" : "" });
    if (done) icon(item, "check");
    else pictureOf(item, board, kind);
    html(item, "span", {}, capital(pieceName(world, kind)));
    if (kind.count > 1) html(item, "span", { className: "side" }, t("{n} of {count}", { n: kind.in_place, count: kind.count }));
    if (done) html(item, "span", { className: "hidden" }, t("in place"));
  }
}
