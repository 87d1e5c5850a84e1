// Where things are drawn: how far they reach, and moved together for a screen without much room.

const LIGHT = 7; // mm from the cells to the middle of a seat's light
const LENS = 4; // mm that such a light is wide
const AWAY = 13; // mm from the cells to the trays: a light and its sign have room between
const APART = 4; // mm between two trays

// Turn a point by some degrees, to the right where y points down.
export function rotated([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
}

// How far these places reach when the board is turned.
export function extent(board, places, turn) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const tall = board.shape === "hex" ? 1.155 : 1;
  const sizes = { slot: board.slot, edge: [LENS, LENS], cell: [board.pitch, board.pitch * tall] };
  for (const place of places) {
    const [w, h] = sizes[place.kind];
    for (const [sx, sy] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
      const [u, v] = rotated([place.x + (sx * w) / 2, place.y + (sy * h) / 2], turn);
      [left, right] = [Math.min(left, u), Math.max(right, u)];
      [top, bottom] = [Math.min(top, v), Math.max(bottom, v)];
    }
  }
  return { left, top, right, bottom };
}

// The same board as if it were built for its game alone: the cells that are played on, close to
// them the lights of the seats, and the trays in a row above and one below as they are on screen.
export function closeUp(board, turn) {
  const cells = board.places.filter((place) => place.kind === "cell" && place.game);
  const near = extent(board, cells, turn);
  const middle = [(near.left + near.right) / 2, (near.top + near.bottom) / 2];
  const moved = new Map(cells.map((cell) => [cell.id, cell]));
  const move = (place, at) => {
    const [x, y] = rotated(at, -turn);
    moved.set(place.id, { ...place, x, y });
  };
  for (const seat of board.seats) {
    const [u, v] = rotated([0, 1], seat.facing + turn);
    move(board.places.find((place) => place.id === seat.light), [
      middle[0] + u * ((near.right - near.left) / 2 + LIGHT),
      middle[1] + v * ((near.bottom - near.top) / 2 + LIGHT),
    ]);
  }
  const [w, h] = rotated(board.slot, turn).map(Math.abs);
  for (const side of [-1, 1]) {
    const row = traysOn(side, board, turn);
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

// The game's trays above (-1) or below (1) the cells, from left to right; those at the left of the
// cells count as above, those at the right as below.
function traysOn(side, board, turn) {
  const all = extent(board, board.places.filter((place) => place.kind === "cell"), turn);
  const placed = board.places.filter((place) => place.kind === "slot" && place.game)
    .map((place) => ({ place, at: rotated([place.x, place.y], turn) }));
  const beside = ([u]) => (u < all.left ? -1 : u > all.right ? 1 : 0);
  return placed.filter(({ at }) => (beside(at) || Math.sign(at[1] - (all.top + all.bottom) / 2)) === side)
    .sort((a, b) => (beside(a.at) ? a.at[1] - b.at[1] : a.at[0] - b.at[0]))
    .map(({ place }) => place);
}
