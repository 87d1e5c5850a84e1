// From place to place by keyboard: arrows on every board, and the six keys round S on a hexagonal one.
import { rotated } from "./closeup.js";

const ARROWS = {
  ArrowUp: -90, ArrowDown: 90, ArrowLeft: 180, ArrowRight: 0,
};
const HEX_KEYS = { q: -120, w: -60, a: 180, d: 0, z: 120, x: 60 };

// The direction that a key stands for, in degrees, 0 to the right, 90 down; undefined if for none.
export function wayOf(key, shape) {
  return ARROWS[key] ?? (shape === "hex" ? HEX_KEYS[key] : undefined);
}

// The nearest place in a direction as seen on screen, or null.
export function nearest(drawing, from, angle) {
  const here = drawing.places.get(from);
  const way = ((angle - drawing.turn) * Math.PI) / 180;
  const [ux, uy] = [Math.cos(way), Math.sin(way)];
  let best = null;
  let least = Infinity;
  for (const id of drawing.targets.keys()) {
    const place = drawing.places.get(id);
    const [dx, dy] = [place.x - here.x, place.y - here.y];
    const ahead = dx * ux + dy * uy;
    const aside = Math.abs(dx * uy - dy * ux);
    const cost = ahead + 2.2 * aside;
    if (ahead > 1 && aside <= ahead * 1.2 && cost < least) [best, least] = [id, cost];
  }
  return best;
}

// The cell of the game that is lowest on screen, in its middle: who begins has his men there.
export function lowest(drawing) {
  const height = ({ x, y }) => {
    const [across, down] = rotated([x, y], drawing.turn);
    return 100 * down - Math.abs(across);
  };
  const cells = drawing.board.places.filter((place) => place.kind === "cell" && place.game);
  return cells.reduce((best, each) => (height(each) > height(best) ? each : best)).id;
}
