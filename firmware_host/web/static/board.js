// The board as SVG, drawn from the geometry of its layout, in millimetres.
//
// From below: frame, cells and slots, light, men, signs of light, and on top one transparent shape
// a place that takes the pointer and the focus.
import { closeUp, extent, rotated } from "./closeup.js";
import { t } from "./words.js";
import { symbol } from "./symbols.js";

const NS = "http://www.w3.org/2000/svg";
const MARGIN = 9; // mm of frame around everything
const THIN = 3; // the same around a close-up
const LIGHT = 20; // mm that a light at the edge has for a finger
const FINGER = 44; // pixels that a cell needs for a finger

// Make an SVG element with attributes, inside `parent`.
export function make(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

// The outline of a place as SVG path data around its centre, or around `at`.
export function outline(board, place, inset = 0, at = [0, 0]) {
  const [cx, cy] = at;
  if (place.kind === "cell" && board.shape === "hex") {
    const r = board.pitch / Math.sqrt(3) - inset;
    const corners = [0, 1, 2, 3, 4, 5].map((k) => {
      const angle = (Math.PI / 3) * k + Math.PI / 6;
      return `${(cx + r * Math.cos(angle)).toFixed(2)} ${(cy + r * Math.sin(angle)).toFixed(2)}`;
    });
    return `M${corners.join("L")}Z`;
  }
  const light = [LIGHT, LIGHT];
  const [w, h] = { cell: [board.pitch, board.pitch], slot: board.slot, edge: light }[place.kind];
  const [x, y] = [w / 2 - inset, h / 2 - inset];
  return `M${cx - x} ${cy - y}H${cx + x}V${cy + y}H${cx - x}Z`;
}

// Draw the board into `holder`, turned by `turn` degrees; the whole of it, or what the game uses,
// moved together. The result knows its layers, the element of each place, and which place lies
// under a point of the screen; its `board` is as it is drawn.
export function drawBoard(holder, original, turn, whole) {
  holder.replaceChildren();
  const board = whole ? original : closeUp(original, turn);
  const margin = whole ? MARGIN : THIN;
  const svg = make(holder, "svg", { id: "board", class: `shape-${board.shape}`, tabindex: -1 });
  const defs = make(svg, "defs");
  const reach = framed(board, turn, margin);
  svg.setAttribute("viewBox", [reach.x, reach.y, reach.width, reach.height].join(" "));
  svg.style.setProperty("--fingers", `${(FINGER / board.pitch) * reach.height}px`);
  woodGrain(defs);
  const turned = make(svg, "g", { transform: `rotate(${turn})` });
  const layer = (name) => make(turned, "g", { class: name, "aria-hidden": "true" });
  const base = layer("base");
  frame(base, board, margin);
  const places = new Map(board.places.map((place) => [place.id, place]));
  for (const place of board.places) drawPlace(base, board, place, turn);
  const layers = { light: layer("light"), men: layer("men"), signs: layer("signs"), defs };
  const grid = make(turned, "g", { role: "grid", "aria-label": t("Board"), class: "grid" });
  const ghost = layer("ghost");
  const targets = drawTargets(grid, board);

  function position(event) { // of a pointer, in the board's millimetres
    const matrix = turned.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  }

  function under(point) { // the place that a point lies in, if any
    let best = null;
    let least = Infinity;
    for (const place of board.places) {
      if (!targets.has(place.id)) continue;
      const [dx, dy] = [Math.abs(point.x - place.x), Math.abs(point.y - place.y)];
      const [w, h] = place.kind === "slot" ? board.slot : [board.pitch, board.pitch * 1.1];
      const distance = Math.hypot(dx, dy);
      if (dx <= w / 2 && dy <= h / 2 && distance < least) [best, least] = [place, distance];
    }
    return best;
  }

  return { svg, layers: { ...layers, ghost }, places, targets, position, under, turn, board, whole };
}

// Draw a small board that nobody plays on: the cells that the game uses, with men and the signs of
// lights (both by the game's own places), and a label for those who do not see it.
export function drawPicture(holder, original, turn, label) {
  const cells = original.places.filter((place) => place.kind === "cell" && place.game);
  const board = { ...original, places: cells };
  const svg = make(holder, "svg", { class: "picture", role: "img", "aria-label": label });
  const reach = framed(board, turn, THIN);
  svg.setAttribute("viewBox", [reach.x, reach.y, reach.width, reach.height].join(" "));
  const turned = make(svg, "g", { transform: `rotate(${turn})` });
  const [base, light, men, signs] = [0, 1, 2, 3].map(() => make(turned, "g"));
  frame(base, board, THIN);
  for (const place of cells) drawPlace(base, board, place, turn);
  return { layers: { light, men, signs }, places: new Map(cells.map((cell) => [cell.name, cell])), turn, board };
}

// How much room the turned board needs with its frame.
function framed(board, turn, margin) {
  const { left, top, right, bottom } = extent(board, board.places, turn);
  return {
    x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin,
  };
}

// A few long strokes, repeated: wood without a filter, which would cost time in every frame.
function woodGrain(defs) {
  const pattern = make(defs, "pattern", {
    id: "grain", width: 160, height: 46, patternUnits: "userSpaceOnUse",
  });
  const strokes = [
    "M0 5Q40 2 80 6T160 5", "M0 13Q30 17 70 12T160 13", "M0 22Q50 19 90 24T160 22",
    "M0 30Q20 33 66 29T160 30", "M0 39Q60 35 100 41T160 39",
  ];
  for (const d of strokes) make(pattern, "path", { d, class: "grain" });
}

function frame(base, board, margin) {
  const box = { ...framed(board, 0, (margin * 5) / 6), rx: margin };
  make(base, "rect", { ...box, class: "wood" });
  make(base, "rect", { ...box, class: "veneer" });
  const cells = board.places.filter((place) => place.kind === "cell");
  for (const place of cells) {
    make(base, "path", {
      d: outline(board, place, -2.4), transform: `translate(${place.x} ${place.y})`, class: "well",
    });
  }
}

function drawPlace(base, board, place, turn) {
  const group = make(base, "g", { transform: `translate(${place.x} ${place.y})` });
  if (place.kind === "edge") {
    make(group, "circle", { r: 3.2, class: "edge-lens" });
    return;
  }
  make(group, "path", {
    d: outline(board, place, place.kind === "slot" ? 1.2 : 0.5),
    class: `${place.kind} ${place.game ? "in-game" : "outside"} ${place.tone || ""}`,
  });
  if (place.expects) {
    const size = Math.min(...board.slot) * 0.72;
    make(group, "use", {
      href: `#${symbol(board.game, place.expects)}`, class: "expects", x: -size / 2, y: -size / 2, width: size,
      height: size, transform: `rotate(${place.facing})`,
    });
  }
  if (place.caption) {
    const upright = make(group, "g", { transform: `rotate(${-turn})` });
    const far = (turn % 180 ? board.slot[0] : board.slot[1]) / 2;
    const [x, y] = board.leds.find((led) => led?.[2] === place.id) ?? [place.x, place.y];
    const lower = rotated([x - place.x, y - place.y], turn)[1] > 5; // is its light: write above
    make(upright, "text", { y: lower ? 6 - far : far - 2.6, class: "caption" }, place.caption);
  }
  if (place.game && place.kind === "cell") {
    const upright = make(group, "g", { transform: `rotate(${-turn})` });
    const corner = board.shape === "hex" ? [0, -board.pitch * 0.37] : [-board.pitch * 0.455, -board.pitch * 0.345];
    make(upright, "text", {
      x: corner[0], y: corner[1], class: `coordinate ${board.shape}`,
    }, place.name);
  }
}

// One focusable, labelled shape a place, in rows from top to bottom as a grid wants them. A light at
// the edge is none for a hand, unless the board `names` its lights.
function drawTargets(grid, board) {
  const targets = new Map();
  const rows = new Map();
  for (const place of board.places) {
    if (place.kind === "edge" && !board.names) continue;
    const key = Math.round(place.y * 2);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(place);
  }
  for (const key of [...rows.keys()].sort((a, b) => a - b)) {
    const row = make(grid, "g", { role: "row" });
    for (const place of rows.get(key).sort((a, b) => a.x - b.x)) {
      const cell = make(row, "g", {
        role: "gridcell", tabindex: -1, "data-place": place.id, "data-name": place.name,
        transform: `translate(${place.x} ${place.y})`, class: "target",
      });
      make(cell, "path", { d: outline(board, place), class: "hit" });
      make(cell, "path", { d: outline(board, place, 1.6), class: "ring" });
      targets.set(place.id, cell);
    }
  }
  return targets;
}
