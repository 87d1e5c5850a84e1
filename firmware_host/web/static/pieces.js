// The pieces where they lie. A piece that this page holds follows the pointer instead.
import { address, svg } from "./elements.js";

const loaded = new Set(); // the games whose drawings are in the page

// Return the id of the drawing of a kind, in the game's pieces.svg.
export function symbol(game, kind) {
  return kind ? `${game}-${kind.replace("+", "p-")}` : "blank";
}

// Put the drawings of the board's game into the page. The promise says whether it added any.
export async function loadDrawings(board) {
  const { game } = board;
  if (loaded.has(game) || !board.has_drawings) return false;
  const answer = await fetch(address(`pieces/${game}.svg`));
  const drawings = await answer.text();
  if (loaded.has(game)) return false; // another call was faster
  document.getElementById("drawings").insertAdjacentHTML("beforeend", drawings);
  loaded.add(game);
  return true;
}

// Whether there is a drawing; until a game's drawings are loaded, they are expected to have all.
function hasDrawing({ game, has_drawings: expected }, id) {
  return loaded.has(game) ? document.getElementById(id) !== null : expected || id === "blank";
}

/**
 * Draw a piece as a small picture, upright, inside an HTML element.
 * @param {{face: string, owner: string}} piece
 */
export function pictureOf(parent, board, piece, className = "mini") {
  const picture = svg(parent, "svg", { class: className, viewBox: "-50 -50 100 100", "aria-hidden": "true" });
  drawPiece(picture, { board: { ...board, upright_pieces: true }, rotation: 0 }, piece, 100);
  return picture;
}

/** Draw the sign of a seat: its piece's shape, which points where the seat plays on screen. */
export function seatSign(parent, board, seat, rotation) {
  const picture = svg(parent, "svg", { class: "seat-sign", viewBox: "-50 -50 100 100", "aria-hidden": "true" });
  const ids = [`${board.game}-seat-${seat.name}`, `${board.game}-seat`];
  const id = ids.find((each) => document.getElementById(each));
  const turned = board.upright_pieces ? 0 : seat.facing + rotation;
  const group = svg(picture, "g", { transform: `rotate(${turned})`, class: `seat-${seat.index} colour-${seat.colour}` });
  if (id) svg(group, "use", { href: `#${id}`, x: -50, y: -50, width: 100, height: 100 });
  else svg(group, "circle", { r: 40, class: "plain-piece" });
}

// Draw all pieces of a state. `landing` is where the piece that this page has put down was last seen. Elements are reused, so that a moved piece glides.
export function drawPieces(drawing, elements, state, landing = null) {
  const { layers, places, board } = drawing;
  const stacks = new Map();
  const drawn = new Set();
  for (const piece of state.pieces) {
    const id = piece.place || piece.from;
    const place = places.get(id);
    if (!place || (piece.held_by && piece.held_by === state.page)) continue;
    const depth = stacks.get(id) || 0;
    if (piece.place) stacks.set(id, depth + 1);
    drawn.add(piece.id);
    const known = elements.get(piece.id);
    const element = known || svg(layers.pieces, "g", { "data-piece": piece.id });
    elements.set(piece.id, element);
    if (!known && landing?.piece === piece.id) { // it glides from the hand
      element.setAttribute("class", "piece");
      element.style.transform = `translate(${landing.x}px, ${landing.y}px)`;
      element.getBoundingClientRect();
    }
    if (element !== layers.pieces.lastChild) layers.pieces.append(element);
    const size = board.pitch * (place.kind === "slot" ? slotScale(board) : 0.9);
    const lift = piece.held_by ? -6 : 0;
    element.setAttribute("class", `piece ${piece.held_by ? "held" : ""} ${piece.missing ? "missing" : ""}`);
    const shift = 1.1 * Math.min(depth, 4); // a high stack shows its number
    element.style.transform = `translate(${place.x + shift}px, ${place.y - shift + lift}px)`;
    drawPiece(element, drawing, piece, size);
  }
  for (const [id, element] of elements) {
    if (!drawn.has(id)) {
      element.remove();
      elements.delete(id);
    }
  }
  drawCounts(drawing, stacks);
}

function slotScale(board) {
  return (0.86 * Math.min(...board.slot_size)) / board.pitch;
}

// Draw the upper face of a piece into a group, pointing away from its owner; letters stand upright.
export function drawPiece(group, drawing, piece, size) {
  const { board, rotation } = drawing;
  const seat = board.seats.find((each) => each.name === piece.owner);
  const id = symbol(board.game, piece.face);
  const plain = !hasDrawing(board, id);
  const upright = board.upright_pieces || plain; // a letter is read, and p, d, M, W must not be mixed up
  const facing = seat && !upright ? seat.facing : -rotation;
  const key = `${piece.face} ${piece.owner} ${facing} ${size} ${piece.missing} ${plain}`;
  if (group.dataset.key === key) return;
  group.dataset.key = key;
  group.replaceChildren();
  const inner = svg(group, "g", {
    transform: `rotate(${facing})`, class: `seat-${seat ? seat.index : "none"} ${seat ? `colour-${seat.colour}` : ""}`,
  });
  if (plain) drawLetters(inner, piece.face, size);
  else svg(inner, "use", { href: `#${id}`, x: -size / 2, y: -size / 2, width: size, height: size });
  if (piece.missing) svg(group, "circle", { r: size * 0.46, class: "gap" });
}

// A piece without a drawing: its letters on a disc.
function drawLetters(parent, letters, size) {
  svg(parent, "circle", { r: size * 0.4, class: "plain-piece" });
  const height = size * (letters.length > 1 ? 0.34 : 0.44);
  svg(parent, "text", { y: height * 0.36, "font-size": height, class: "plain-letters" }, letters);
}

// Mark the places where an unknown piece lies.
export function drawUnknown(drawing, ids) {
  const { layers, places, board } = drawing;
  for (const old of layers.pieces.querySelectorAll(".unknown")) old.remove();
  for (const id of ids) {
    const place = places.get(id);
    if (!place) continue;
    const group = svg(layers.pieces, "g", { class: "unknown", "data-unknown": id, transform: `translate(${place.x} ${place.y})` });
    svg(group, "circle", { r: Math.min(board.pitch, ...board.slot_size) * 0.2 });
  }
}

/** Return the radius of a sign on a drawn board, in mm: 18 pixels across on small cells, 28 on large. */
export function signRadius({ board, scale }) {
  if (!scale) return 4.3;
  return Math.min(14, Math.max(9, board.pitch * scale * 0.13)) / scale;
}

function drawCounts(drawing, stacks) {
  const { layers, places, board, rotation } = drawing;
  for (const old of layers.pieces.querySelectorAll(".count")) old.remove();
  for (const [id, count] of stacks) {
    if (count < 2) continue;
    const place = places.get(id);
    const badge = svg(layers.pieces, "g", {
      class: "count", transform: `translate(${place.x} ${place.y}) rotate(${-rotation})`,
    });
    const [x, y] = [Math.min(...board.slot_size) * 0.38, -Math.min(...board.slot_size) * 0.36];
    const r = signRadius(drawing);
    svg(badge, "circle", { cx: x, cy: y, r });
    svg(badge, "text", { x, y: y + r * 0.42, "font-size": r * 1.2 }, String(count));
  }
}
