// What lies where, in words: the label of each place, and the box beside the board.
import { html } from "./elements.js";
import { pictureOf } from "./pieces.js";
import { isColour, playerName } from "./strips.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

// Return the meaning of a light, for screen readers.
function meaning(name) {
  return {
    along: t("goes along"), attacks: t("a danger comes from here"), last: t("the last move"),
    pip: t("the number thrown"), turn: t("whose turn it is"),
    best: t("best"), fine: t("fine"), doubtful: t("doubtful"), losing: t("losing"),
    WHITE: t("from here"), BLUE: t("you may put it here"), RED: t("take off the piece here"),
    YELLOW: t("attention"), TEAL: t("advice"),
  }[name];
}

// Return the name of a piece: its kind and, where the kind does not imply it, its owner: by the colour that
// is seen, else by the name of the player.
export function pieceName(world, piece) {
  const { board } = world;
  const kind = board.kinds[piece.face] || t("a piece face down");
  const seat = board.seats.find((each) => each.name === piece.owner);
  if (!seat || board.single_owner_kinds.includes(piece.face)) return kind;
  return t("{kind} of {seat}", { kind, seat: isColour(seat) ? seat.label : playerName(world, seat.index) });
}

// Give every place its label for screen readers.
export function labelPlaces(world) {
  const { drawing, state } = world;
  for (const [id, element] of drawing.targets) {
    const place = drawing.places.get(id);
    const parts = [place.label];
    const stack = state.pieces.filter((piece) => piece.place === id);
    const top = stack.at(-1);
    const named = top && isExpected(place, top); // the label of the tray says already what it is
    if (top && !named) parts.push(pieceName(world, top));
    if (top?.missing) parts.push(t("not seen there"));
    if (state.unknown_pieces.includes(id)) parts.push(t("an unknown piece"));
    if (place.expected_kind && !top) parts.push(t("empty"));
    if (named || stack.length > 1) parts.push(tn("{n} piece", "{n} pieces", stack.length));
    const light = state.lights[id];
    if (light && (light.level >= 0.3 || light.grade)) {
      parts.push(meaning(light.role || light.signal));
      if (light.grade) parts.push(meaning(light.grade));
      if (light.second_signal && !(light.grade && light.second_signal === "TEAL")) parts.push(meaning(light.second_signal));
    }
    if (state.to_fill.includes(id)) parts.push(t("must be filled"));
    if (state.to_empty.includes(id)) parts.push(t("must be emptied"));
    const next = state.repair_plan[0];
    if (next && [next.from, next.to].includes(id)) parts.push(next.sentence);
    if (state.masked.includes(id)) parts.push(t("its sensor seems broken"));
    const label = parts.join(", ");
    if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    element.classList.toggle("masked", state.masked.includes(id));
  }
}

// Whether a piece lies in the tray for its kind and its owner.
function isExpected(place, piece) {
  return piece.face === place.expected_kind
    && (!piece.owner || place.name.split(".").includes(piece.owner));
}

/** Show what lies beside the board, by kind. It comes and goes only while this page holds nothing. */
export function showBox(world, lift, held) {
  const { board, state } = world;
  const pieces = state.pieces.filter((piece) => piece.place === "box");
  const room = board.simulated && !board.places.some((each) => each.kind === "slot" && each.in_game); // captives go there
  if (!held) $("box-holder").hidden = !pieces.length && !room;
  const holder = $("box");
  const key = JSON.stringify([pieces, state.player_names, board.language, board.role]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  const groups = new Map();
  for (const piece of pieces) {
    const kind = `${piece.owner} ${piece.face}`;
    groups.set(kind, [...(groups.get(kind) || []), piece]);
  }
  for (const group of groups.values()) {
    const item = html(holder, "li");
    const name = pieceName(world, group[0]);
    const text = group.length > 1 ? `${name} ×${group.length}` : name;
    const mayLift = board.simulated && board.role.name !== "watcher";
    const one = html(item, mayLift ? "button" : "span", { className: "beside-piece", title: text });
    pictureOf(one, board, group[0]);
    html(one, "span", { className: "hidden" }, text);
    if (group.length > 1) html(one, "b", { "aria-hidden": "true" }, `×${group.length}`);
    if (mayLift) {
      one.type = "button";
      one.onclick = () => lift(group.at(-1));
    }
  }
  if (!pieces.length) html(holder, "li", { className: "nothing" }, t("Nothing lies beside the board."));
}
