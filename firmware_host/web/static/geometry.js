// Geometry of the board: how far it reaches, how it is moved together for a small screen, and which
// place is next to another.

const LIGHT = 7; // mm from the cells to the middle of a seat's light
const LENS = 4; // mm, the width of such a light
const AWAY = 13; // mm from the cells to the trays, with room for a light and its sign
const APART = 4; // mm between two trays

// Rotate a point by some degrees, clockwise where y points down.
export function rotated([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

// Return how far these places reach when the board is rotated.
export function extent(board, places, rotation) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const tall = board.shape === "hex" ? 1.155 : 1;
  const sizes = { slot: board.slot_size, edge: [LENS, LENS], cell: [board.pitch, board.pitch * tall] };
  for (const place of places) {
    const [w, h] = sizes[place.kind];
    for (const [sx, sy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      const [u, v] = rotated([place.x + (sx * w) / 2, place.y + (sy * h) / 2], rotation);
      [left, right] = [Math.min(left, u), Math.max(right, u)];
      [top, bottom] = [Math.min(top, v), Math.max(bottom, v)];
    }
  }
  return { left, top, right, bottom };
}

// Return the board as if it were built for its game alone: the cells of the game, the seats' lights
// close to them, and the trays in a row above and a row below, as seen on screen.
export function closeUp(board, rotation) {
  const cells = board.places.filter((place) => place.kind === "cell" && place.in_game);
  const near = extent(board, cells, rotation);
  const middle = [(near.left + near.right) / 2, (near.top + near.bottom) / 2];
  const moved = new Map(cells.map((cell) => [cell.id, cell]));
  const move = (place, at) => {
    const [x, y] = rotated(at, -rotation);
    moved.set(place.id, { ...place, x, y });
  };
  for (const seat of board.seats) {
    const [u, v] = rotated([0, 1], seat.facing + rotation);
    move(board.places.find((place) => place.id === seat.light), [
      middle[0] + u * ((near.right - near.left) / 2 + LIGHT),
      middle[1] + v * ((near.bottom - near.top) / 2 + LIGHT),
    ]);
  }
  const [w, h] = rotated(board.slot_size, rotation).map(Math.abs);
  for (const side of [-1, 1]) {
    const row = traysOn(side, board, rotation);
    row.forEach((tray, index) => move(tray, [
      middle[0] + (index - (row.length - 1) / 2) * (w + APART),
      (side < 0 ? near.top : near.bottom) + side * (AWAY + h / 2),
    ]));
  }
  const leds = board.leds.map(([x, y, id]) => {
    const [now, was] = [moved.get(id), board.places.find((place) => place.id === id)];
    return now ? [x + now.x - was.x, y + now.y - was.y, id] : null;
  });
  return { ...board, places: [...moved.values()], leds };
}

// Return the game's trays above (-1) or below (1) the cells, from left to right. Those left of the
// cells count as above, those right of them as below.
function traysOn(side, board, rotation) {
  const all = extent(board, board.places.filter((place) => place.kind === "cell"), rotation);
  const placed = board.places.filter((place) => place.kind === "slot" && place.in_game)
    .map((place) => ({ place, at: rotated([place.x, place.y], rotation) }));
  const beside = ([u]) => (u < all.left ? -1 : u > all.right ? 1 : 0);
  return placed.filter(({ at }) => (beside(at) || Math.sign(at[1] - (all.top + all.bottom) / 2)) === side)
    .sort((a, b) => (beside(a.at) ? a.at[1] - b.at[1] : a.at[0] - b.at[0]))
    .map(({ place }) => place);
}

// ---- from place to place by keyboard

const ARROWS = {
  ArrowUp: -90, ArrowDown: 90, ArrowLeft: 180, ArrowRight: 0,
};
const HEX_KEYS = { q: -120, w: -60, a: 180, d: 0, z: 120, x: 60 };

// Return the direction of a key in degrees, 0 to the right, 90 down; undefined if it has none.
export function directionOf(key, shape) {
  return ARROWS[key] ?? (shape === "hex" ? HEX_KEYS[key] : undefined);
}

// Return the nearest place in a direction as seen on screen, or null.
export function nearest(drawing, from, angle) {
  const here = drawing.places.get(from);
  const direction = ((angle - drawing.rotation) * Math.PI) / 180;
  const [ux, uy] = [Math.cos(direction), Math.sin(direction)];
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

// Return the game's lowest cell on screen, nearest to the middle: the first player's pieces are there.
export function lowest(drawing) {
  const height = ({ x, y }) => {
    const [across, down] = rotated([x, y], drawing.rotation);
    return 100 * down - Math.abs(across);
  };
  const cells = drawing.board.places.filter((place) => place.kind === "cell" && place.in_game);
  return cells.reduce((best, each) => (height(each) > height(best) ? each : best)).id;
}
