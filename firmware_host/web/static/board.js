// The board as SVG, drawn from the geometry of its layout, in millimetres.
//
// The layers from the bottom: frame, cells and slots, light, pieces, signs of light, and for each place
// a transparent shape that takes the pointer and the focus.
import { svg } from "./elements.js";
import { closeUp, extent, rotated } from "./geometry.js";
import { symbol } from "./pieces.js";
import { t } from "./words.js";

const MARGIN = 9; // mm of frame around everything
const THIN = 3; // mm of frame around a close-up
const LIGHT = 20; // mm, the area of a light at the edge for a finger
const FINGER = 44; // pixels that a cell needs for a finger

// Return the outline of a place as SVG path data around its centre, or around `at`.
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
  const [w, h] = { cell: [board.pitch, board.pitch], slot: board.slot_size, edge: light }[place.kind];
  const [x, y] = [w / 2 - inset, h / 2 - inset];
  return `M${cx - x} ${cy - y}H${cx + x}V${cy + y}H${cx - x}Z`;
}

// Draw the board into `holder`, rotated by some degrees; the whole board, or what the game uses of it,
// moved together. The result has the layers, the element of each place, the board as it is drawn, and
// under(point): the place at a point of the screen.
export function drawBoard(holder, original, rotation, whole) {
  holder.replaceChildren();
  const board = whole ? original : closeUp(original, rotation);
  const margin = whole ? MARGIN : THIN;
  const root = svg(holder, "svg", { id: "board", class: `shape-${board.shape}`, tabindex: -1 });
  const defs = svg(root, "defs");
  const reach = framed(board, rotation, margin);
  root.setAttribute("viewBox", [reach.x, reach.y, reach.width, reach.height].join(" "));
  root.style.setProperty("--fingers", `${(FINGER / board.pitch) * reach.height}px`);
  woodGrain(defs);
  const rotatedGroup = svg(root, "g", { transform: `rotate(${rotation})` });
  const layer = (name) => svg(rotatedGroup, "g", { class: name, "aria-hidden": "true" });
  const base = layer("base");
  frame(base, board, margin);
  const places = new Map(board.places.map((place) => [place.id, place]));
  for (const place of board.places) drawPlace(base, board, place, rotation);
  const layers = { light: layer("light"), pieces: layer("pieces"), signs: layer("signs"), defs };
  const grid = svg(rotatedGroup, "g", { role: "grid", "aria-label": t("Board"), class: "grid" });
  const ghost = layer("ghost");
  const targets = drawTargets(grid, board);

  function position(event) { // the place of a pointer, in the board's millimetres
    const matrix = rotatedGroup.getScreenCTM();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  }

  function under(point) { // the place that a point lies in, if any
    let best = null;
    let least = Infinity;
    for (const place of board.places) {
      if (!targets.has(place.id)) continue;
      const [dx, dy] = [Math.abs(point.x - place.x), Math.abs(point.y - place.y)];
      const [w, h] = place.kind === "slot" ? board.slot_size : [board.pitch, board.pitch * 1.1];
      const distance = Math.hypot(dx, dy);
      if (dx <= w / 2 && dy <= h / 2 && distance < least) [best, least] = [place, distance];
    }
    return best;
  }

  return { root, layers: { ...layers, ghost }, places, targets, position, under, rotation, board, whole };
}

// Draw a small board for a picture: the game's cells, with layers for pieces and lights, and a label
// for screen readers. Its places have the game's names.
export function drawPicture(holder, original, rotation, label) {
  const cells = original.places.filter((place) => place.kind === "cell" && place.in_game);
  const board = { ...original, places: cells };
  const root = svg(holder, "svg", { class: "picture", role: "img", "aria-label": label });
  const reach = framed(board, rotation, THIN);
  root.setAttribute("viewBox", [reach.x, reach.y, reach.width, reach.height].join(" "));
  const rotatedGroup = svg(root, "g", { transform: `rotate(${rotation})` });
  const [base, light, pieces, signs] = [0, 1, 2, 3].map(() => svg(rotatedGroup, "g"));
  frame(base, board, THIN);
  for (const place of cells) drawPlace(base, board, place, rotation);
  return { layers: { light, pieces, signs }, places: new Map(cells.map((cell) => [cell.name, cell])), rotation, board };
}

// Return the room that the rotated board needs with its frame.
function framed(board, rotation, margin) {
  const { left, top, right, bottom } = extent(board, board.places, rotation);
  return {
    x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin,
  };
}

// Draw wood as a few repeated strokes: a filter would cost time in every frame.
function woodGrain(defs) {
  const pattern = svg(defs, "pattern", {
    id: "grain", width: 160, height: 46, patternUnits: "userSpaceOnUse",
  });
  const strokes = [
    "M0 5Q40 2 80 6T160 5", "M0 13Q30 17 70 12T160 13", "M0 22Q50 19 90 24T160 22",
    "M0 30Q20 33 66 29T160 30", "M0 39Q60 35 100 41T160 39",
  ];
  for (const d of strokes) svg(pattern, "path", { d, class: "grain" });
}

function frame(base, board, margin) {
  const box = { ...framed(board, 0, (margin * 5) / 6), rx: margin };
  svg(base, "rect", { ...box, class: "wood" });
  svg(base, "rect", { ...box, class: "veneer" });
  const cells = board.places.filter((place) => place.kind === "cell");
  for (const place of cells) {
    svg(base, "path", {
      d: outline(board, place, -2.4), transform: `translate(${place.x} ${place.y})`, class: "well",
    });
  }
}

function drawPlace(base, board, place, rotation) {
  const group = svg(base, "g", { transform: `translate(${place.x} ${place.y})` });
  if (place.kind === "edge") {
    svg(group, "circle", { r: 3.2, class: "edge-lens" });
    return;
  }
  svg(group, "path", {
    d: outline(board, place, place.kind === "slot" ? 1.2 : 0.5),
    class: `${place.kind} ${place.in_game ? "in-game" : "outside"} ${place.tone || ""}`,
  });
  if (place.expected_kind) {
    const size = Math.min(...board.slot_size) * 0.72;
    svg(group, "use", {
      href: `#${symbol(board.game, place.expected_kind)}`, class: "expects", x: -size / 2, y: -size / 2, width: size,
      height: size, transform: `rotate(${place.facing})`,
    });
  }
  if (place.caption) {
    const upright = svg(group, "g", { transform: `rotate(${-rotation})` });
    const far = (rotation % 180 ? board.slot_size[0] : board.slot_size[1]) / 2;
    const [x, y] = board.leds.find((led) => led?.[2] === place.id) ?? [place.x, place.y];
    const lower = rotated([x - place.x, y - place.y], rotation)[1] > 5; // its light is there: write above it
    svg(upright, "text", { y: lower ? 6 - far : far - 2.6, class: "caption" }, place.caption);
  }
  if (place.in_game && place.kind === "cell") {
    const upright = svg(group, "g", { transform: `rotate(${-rotation})` });
    const corner = board.shape === "hex" ? [0, -board.pitch * 0.37] : [-board.pitch * 0.455, -board.pitch * 0.345];
    svg(upright, "text", {
      x: corner[0], y: corner[1], class: `coordinate ${board.shape}`,
    }, place.name);
  }
}

// Draw a focusable, labelled shape for each place, in rows from top to bottom, as a grid needs them.
// A light at the edge gets none, unless the board has `lights_are_targets`.
function drawTargets(grid, board) {
  const targets = new Map();
  const rows = new Map();
  for (const place of board.places) {
    if (place.kind === "edge" && !board.lights_are_targets) continue;
    const key = Math.round(place.y * 2);
    if (!rows.has(key)) rows.set(key, []);
    rows.get(key).push(place);
  }
  for (const key of [...rows.keys()].sort((a, b) => a - b)) {
    const row = svg(grid, "g", { role: "row" });
    for (const place of rows.get(key).sort((a, b) => a.x - b.x)) {
      const cell = svg(row, "g", {
        role: "gridcell", tabindex: -1, "data-place": place.id, "data-name": place.name,
        transform: `translate(${place.x} ${place.y})`, class: "target",
      });
      svg(cell, "path", { d: outline(board, place), class: "hit" });
      svg(cell, "path", { d: outline(board, place, 1.6), class: "ring" });
      targets.set(place.id, cell);
    }
  }
  return targets;
}
