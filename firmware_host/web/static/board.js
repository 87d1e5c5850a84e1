// The board as SVG, drawn from the geometry of its layout, in millimetres.
//
// The layers from the bottom: frame, cells and slots, light, pieces, signs of light, and for each place
// a transparent shape that takes the pointer and the focus.
import { svg } from "./elements.js";
import { extent } from "./geometry.js";
import { symbol } from "./pieces.js";
import { t } from "./words.js";

const THIN = 3; // mm of frame around a picture
const NAMED_MM = 170; // in a picture of a wider board nobody could read the names of cells
const LIGHT = 20; // mm, the area of a light at the edge for a finger
const NAMED = 72; // pixels of a hexagon from which its name is written in it

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

function rounded([width, height], inset) {
  const [x, y, r] = [width / 2 - inset, height / 2 - inset, Math.min(width, height) * 0.1];
  return `M${r - x} ${-y}H${x - r}a${r} ${r} 0 0 1 ${r} ${r}V${y - r}a${r} ${r} 0 0 1 ${-r} ${r}H${r - x}a${r} ${r} 0 0 1 ${-r} ${-r}V${r - y}a${r} ${r} 0 0 1 ${r} ${-r}Z`;
}

/**
 * Draw a planned board into `holder`. The result has the layers, the element of each place, the board as
 * it is drawn, and under(point): the place at a point of the screen.
 * @param {import("./geometry.js").Plan} plan
 */
export function drawBoard(holder, plan, id = "board") {
  holder.replaceChildren();
  const { board, rotation, reach, scale } = plan;
  const root = svg(holder, "svg", { id, class: `board shape-${board.shape}`, tabindex: -1 });
  const defs = svg(root, "defs");
  root.setAttribute("viewBox", [reach.left, reach.top, reach.right - reach.left, reach.bottom - reach.top].join(" "));
  if (scale) {
    root.style.width = `${(reach.right - reach.left) * scale}px`;
    root.style.height = `${(reach.bottom - reach.top) * scale}px`;
    root.style.setProperty("--letter-height", `${14 / scale}px`);
  }
  woodGrain(defs, id);
  heldShadow(defs);
  wood(svg(root, "g", { class: "base", "aria-hidden": "true" }), plan, id);
  const rotatedGroup = svg(root, "g", { transform: `rotate(${rotation})` });
  const layer = (name) => svg(rotatedGroup, "g", { class: name, "aria-hidden": "true" });
  const base = layer("base");
  wells(base, board);
  const places = new Map(board.places.map((place) => [place.id, place]));
  const named = plan.trays === "whole" || (board.shape === "hex" && scale * board.pitch >= NAMED);
  for (const place of board.places) drawPlace(base, plan, place, named);
  const layers = { light: layer("light"), pieces: layer("pieces"), signs: layer("signs"), defs };
  const grid = svg(rotatedGroup, "g", { role: "grid", "aria-label": t("Board"), class: "grid" });
  const ghost = layer("ghost");
  const targets = drawTargets(grid, board, scale);

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

  return { root, layers: { ...layers, ghost }, places, targets, position, under, rotation, board, plan, scale };
}

// Draw a small board for a picture: the game's cells, with layers for pieces and lights, and a label
// for screen readers. Its places have the game's names.
export function drawPicture(holder, original, rotation, label) {
  const cells = original.places.filter((place) => place.kind === "cell" && place.in_game);
  const board = { ...original, places: cells };
  const root = svg(holder, "svg", { class: "picture", role: "img", "aria-label": label });
  const { left, top, right, bottom } = extent(board, cells, rotation);
  const reach = { left: left - THIN, top: top - THIN, right: right + THIN, bottom: bottom + THIN };
  root.setAttribute("viewBox", [reach.left, reach.top, reach.right - reach.left, reach.bottom - reach.top].join(" "));
  const plan = { board, rotation, reach, frame: reach, scale: 0, names: [], trays: "picture" };
  wood(root, plan);
  const rotatedGroup = svg(root, "g", { transform: `rotate(${rotation})` });
  const [base, light, pieces, signs] = [0, 1, 2, 3].map(() => svg(rotatedGroup, "g"));
  wells(base, board);
  const named = reach.right - reach.left < NAMED_MM;
  for (const place of cells) drawPlace(base, plan, place, named);
  return { layers: { light, pieces, signs }, places: new Map(cells.map((cell) => [cell.name, cell])), rotation, board, scale: 0 };
}

// Draw wood as a few repeated strokes: a filter would cost time in every frame.
function woodGrain(defs, id) {
  const pattern = svg(defs, "pattern", {
    id: `${id}-grain`, width: 160, height: 46, patternUnits: "userSpaceOnUse",
  });
  const strokes = [
    "M0 5Q40 2 80 6T160 5", "M0 13Q30 17 70 12T160 13", "M0 22Q50 19 90 24T160 22",
    "M0 30Q20 33 66 29T160 30", "M0 39Q60 35 100 41T160 39",
  ];
  for (const d of strokes) svg(pattern, "path", { d, class: "grain" });
}

// The soft shadow of a piece in the hand.
function heldShadow(defs) {
  const gradient = svg(defs, "radialGradient", { id: "held-shadow" });
  for (const [offset, opacity] of [[0.35, 0.6], [0.7, 0.35], [1, 0]]) svg(gradient, "stop", { offset, "stop-color": "#000", "stop-opacity": opacity });
}

function wood(base, { frame, names, trays, board }, id = "") {
  const { left, top, right, bottom } = frame;
  const box = { x: left, y: top, width: right - left, height: bottom - top, rx: Math.min(board.pitch * 0.12, 5) };
  svg(base, "rect", { ...box, class: "wood" });
  if (id) svg(base, "rect", { ...box, class: "veneer", fill: `url(#${id}-grain)` });
  for (const { text, x, y } of names) svg(base, "text", { x, y, class: "coordinate" }, text);
}

function wells(base, board) {
  for (const place of board.places.filter((each) => each.kind === "cell")) {
    svg(base, "path", { d: outline(board, place, -1.2), transform: `translate(${place.x} ${place.y})`, class: "well" });
  }
}

function drawPlace(base, { board, rotation, trays, scale }, place, named) {
  const group = svg(base, "g", { transform: `translate(${place.x} ${place.y})` });
  if (place.kind === "edge") {
    svg(group, "circle", { r: scale ? Math.min(3.2, 5 / scale) : 3.2, class: "edge-lens" });
    return;
  }
  svg(group, "path", {
    d: place.kind === "slot" ? rounded(board.slot_size, { whole: 1.2, strips: 3 / scale }[trays] ?? 0) : outline(board, place, 0.3),
    class: `${place.kind} ${place.in_game ? "in-game" : "outside"} ${place.tone || ""}`,
  });
  if (place.expected_kind) {
    const size = Math.min(...board.slot_size) * 0.72;
    svg(group, "use", {
      href: `#${symbol(board.game, place.expected_kind)}`, class: "expects", x: -size / 2, y: -size / 2, width: size,
      height: size, transform: `rotate(${place.facing})`,
    });
  }
  if (place.caption && (trays === "whole" || place.captioned)) {
    const upright = svg(group, "g", { transform: `rotate(${-rotation})` });
    const far = (rotation % 180 ? board.slot_size[0] : board.slot_size[1]) / 2;
    svg(upright, "text", { y: trays === "sides" ? far + 5 : far - 2, class: "caption" }, place.caption);
  }
  if (named && place.in_game && place.kind === "cell") {
    const upright = svg(group, "g", { transform: `rotate(${-rotation})` });
    const corner = board.shape === "hex" ? [0, -board.pitch * 0.41] : [-board.pitch * 0.33, -board.pitch * 0.37];
    svg(upright, "text", { x: corner[0], y: corner[1], class: "coordinate inside" }, place.name);
  }
}

// Draw a focusable, labelled shape for each place, in rows from top to bottom, as a grid needs them.
// A light at the edge gets none, unless the board has `lights_are_targets`.
function drawTargets(grid, board, scale) {
  const thick = scale ? 2.5 / scale : 1.4; // mm of the keyboard's ring
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
      svg(cell, "path", { d: outline(board, place, 2 * thick), class: "ring", "stroke-width": thick });
      targets.set(place.id, cell);
    }
  }
  return targets;
}
