// The men where the board's truth says they lie. What this page holds follows the pointer.
import { make } from "./board.js";
import { symbol } from "./symbols.js";

// Draw all men of a state; elements are kept, so that a moved man glides.
export function drawMen(drawing, men, state) {
  const { layers, places, board } = drawing;
  const heaps = new Map();
  const kept = new Set();
  for (const man of state.men) {
    const id = man.place || man.from;
    const place = places.get(id);
    if (!place || (man.held && man.held === state.you)) continue;
    const depth = heaps.get(id) || 0;
    if (man.place) heaps.set(id, depth + 1);
    kept.add(man.id);
    const element = men.get(man.id) || make(layers.men, "g", { "data-man": man.id });
    men.set(man.id, element);
    layers.men.append(element);
    const size = board.pitch * (place.kind === "slot" ? slotScale(board) : 0.9);
    const lift = man.held ? -6 : 0;
    element.setAttribute("class", `man ${man.held ? "held" : ""} ${man.missing ? "missing" : ""}`);
    const pile = 1.1 * Math.min(depth, 4); // a high pile is told by its number
    element.style.transform = `translate(${place.x + pile}px, ${place.y - pile + lift}px)`;
    fill(element, drawing, man, size, place);
  }
  for (const [id, element] of men) {
    if (!kept.has(id)) {
      element.remove();
      men.delete(id);
    }
  }
  counts(drawing, heaps);
}

function slotScale(board) {
  return (0.86 * Math.min(...board.slot)) / board.pitch;
}

// Draw one man into a group: its face, pointing away from its owner.
export function fill(group, drawing, man, size) {
  const { board, turn } = drawing;
  const seat = board.seats.find((each) => each.name === man.owner);
  const facing = board.upright ? -turn : seat ? seat.facing : -turn;
  const key = `${man.shows} ${man.owner} ${facing} ${size} ${man.missing}`;
  if (group.dataset.key === key) return;
  group.dataset.key = key;
  group.replaceChildren();
  const inner = make(group, "g", {
    transform: `rotate(${facing})`, class: `seat-${seat ? seat.index : "none"} ${seat ? `colour-${seat.colour}` : ""}`,
  });
  make(inner, "use", {
    href: `#${symbol(board.game, man.shows, man.owner)}`, x: -size / 2, y: -size / 2, width: size, height: size,
  });
  if (man.missing) make(group, "circle", { r: size * 0.46, class: "gap" });
}

// Mark the places where something lies of which nobody knows what it is.
export function drawDots(drawing, dots) {
  const { layers, places, board } = drawing;
  for (const old of layers.men.querySelectorAll(".unknown")) old.remove();
  for (const id of dots) {
    const place = places.get(id);
    if (!place) continue;
    const group = make(layers.men, "g", { class: "unknown", "data-dot": id, transform: `translate(${place.x} ${place.y})` });
    make(group, "circle", { r: Math.min(board.pitch, ...board.slot) * 0.2 });
  }
}

function counts(drawing, heaps) {
  const { layers, places, board, turn } = drawing;
  for (const old of layers.men.querySelectorAll(".count")) old.remove();
  for (const [id, count] of heaps) {
    if (count < 2) continue;
    const place = places.get(id);
    const badge = make(layers.men, "g", {
      class: "count", transform: `translate(${place.x} ${place.y}) rotate(${-turn})`,
    });
    const [x, y] = [Math.min(...board.slot) * 0.38, -Math.min(...board.slot) * 0.36];
    make(badge, "circle", { cx: x, cy: y, r: 4.4 });
    make(badge, "text", { x, y: y + 2.1 }, String(count));
  }
}
