// The pieces where they lie. A piece that this page holds follows the pointer instead.
import { svg } from "./elements.js";

const loaded = new Set(); // the games whose drawings are in the page

// Return the id of the drawing of a kind, in the game's pieces.svg.
export function symbol(game, kind) {
  return kind ? `${game}-${kind.replace("+", "p-")}` : "blank";
}

// Put the drawings of the board's game into the page. The promise says whether it added any.
export async function loadDrawings(board) {
  const { game } = board;
  if (loaded.has(game) || !board.has_drawings) return false;
  const answer = await fetch(`/static/pieces/${game}.svg`);
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

// Draw all pieces of a state. Elements are reused, so that a moved piece glides.
export function drawPieces(drawing, elements, state) {
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
    const element = elements.get(piece.id) || svg(layers.pieces, "g", { "data-piece": piece.id });
    elements.set(piece.id, element);
    layers.pieces.append(element);
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
    svg(badge, "circle", { cx: x, cy: y, r: 4.4 });
    svg(badge, "text", { x, y: y + 2.1 }, String(count));
  }
}
