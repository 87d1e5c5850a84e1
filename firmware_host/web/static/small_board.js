// Small boards: a game's cells in their wooden frame, with the pieces on them.
import { outline } from "./board.js";
import { svg } from "./elements.js";
import { extent } from "./geometry.js";
import { drawPiece, loadDrawings } from "./pieces.js";

const FRAME = 0.4; // pitches of wood around the cells
const loading = new Map(); // by game, the promise that its drawings are in the page

/**
 * Draw a small board into `parent`. It is decoration: the text beside it says what is played.
 * @param {HTMLElement} parent
 * @param {Picture} picture the cells and seats, as in /api/games
 * @param {{place: string, face: string, owner: string}[]} pieces what stands on the cells
 * @returns {SVGSVGElement}
 *
 * @typedef {{game: string, shape: "square" | "hex", pitch: number, rotation: number,
 *   cells: {id: string, x: number, y: number, tone: string}[],
 *   seats: {index: number, name: string, facing: number, colour: string}[],
 *   upright_pieces: boolean, has_drawings: boolean,
 *   pieces: {place: string, face: string, owner: string}[]}} Picture
 */
export function smallBoard(parent, picture, pieces = picture.pieces) {
  const { rotation, pitch } = picture;
  const cells = picture.cells.map((cell) => ({ ...cell, kind: "cell" }));
  const reach = framed(picture, cells, rotation);
  const root = svg(parent, "svg", {
    class: "small-board", "aria-hidden": "true", viewBox: [reach.x, reach.y, reach.width, reach.height].join(" "),
  });
  const board = svg(root, "g", { transform: `rotate(${rotation})` });
  svg(board, "rect", { ...framed(picture, cells, 0), rx: pitch * 0.2, class: "small-wood" });
  for (const tone of new Set(cells.map((cell) => cell.tone))) {
    const alike = cells.filter((cell) => cell.tone === tone);
    const d = alike.map((cell) => outline(picture, cell, 0, [cell.x, cell.y])).join(""); // a list has thousands of cells
    svg(board, "path", { d, class: `small-cells ${tone}` });
  }
  const places = new Map(cells.map((cell) => [cell.id, cell]));
  const draw = () => {
    for (const piece of pieces) {
      const { x, y } = places.get(piece.place);
      const group = svg(board, "g", { class: "small-piece", transform: `translate(${x} ${y})` });
      drawPiece(group, { board: picture, rotation }, piece, pitch * 0.9);
    }
  };
  drawings(picture).then(draw, () => {}); // without a connection the board stays empty
  return root;
}

// The room that the cells need with the frame, when the board is rotated.
function framed(picture, cells, rotation) {
  const { left, top, right, bottom } = extent(picture, cells, rotation);
  const wood = picture.pitch * FRAME;
  return { x: left - wood, y: top - wood, width: right - left + 2 * wood, height: bottom - top + 2 * wood };
}

/** Return the promise that the drawings of a game are in the page. */
export function drawings(picture) {
  const { game } = picture;
  if (!loading.has(game)) {
    const load = loadDrawings(picture);
    loading.set(game, load);
    load.catch(() => loading.delete(game)); // the next board tries again
  }
  return loading.get(game);
}
