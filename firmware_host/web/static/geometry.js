// Geometry of the board: how far it reaches, how it is laid out for the room that a window has, and
// which place is next to another.

const APART = 3; // mm between two trays beside the cells
const FINGER = 44; // pixels that a finger needs
const NAMED = 44; // pixels of a cell from which the names of the cells are written
const AROUND = 26; // pixels of frame around large cells, with room for their names
const CLOSE = 20; // pixels of frame around cells of less than LARGE
const LARGE = 80;
const THIN = 6; // pixels of frame around small cells
const ROW = { height: 44, widest: 60, gap: 4, away: 6 }; // pixels of the trays in a row above and below
const MARGIN = 9; // mm of frame around the whole board
const LENS = 4; // mm, the width of a seat's light
const STRIP_SIGN = 140; // pixels of a strip that its sign and name need at least
const NEAREST = 36; // pixels between two trays in a strip at least
const SIDES_WIN = 0.97; // trays stay at the sides of the cells unless cells grow by more without them

/**
 * @typedef {object} Plan how a board is drawn, all in mm
 * @property {object} board the board with its places where they are drawn
 * @property {number} rotation degrees
 * @property {{left: number, top: number, right: number, bottom: number}} reach what is seen of it, on screen
 * @property {{left: number, top: number, right: number, bottom: number}} frame its wood, on screen
 * @property {number} scale pixels of a mm; 0: as large as its holder
 * @property {Array<{text: string, x: number, y: number}>} names of rows and columns, on screen
 * @property {number} step pixels between two trays in a strip
 * @property {string} trays "sides", "rows", "strips" or "whole"
 */

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

/**
 * Return the plan of the whole board, as it is built. Without a room it is as large as its holder.
 * @returns {Plan}
 */
export function wholeBoard(board, rotation, room = null) {
  const { left, top, right, bottom } = extent(board, board.places, rotation);
  const reach = { left: left - MARGIN, top: top - MARGIN, right: right + MARGIN, bottom: bottom + MARGIN };
  const scale = room ? Math.min(room.width / (reach.right - reach.left), room.height / (reach.bottom - reach.top)) : 0;
  return { board, rotation, reach, frame: reach, scale, names: [], trays: "whole", step: 0 };
}

/**
 * Return the plan that has the largest cells: the board as if it were built for its game alone. The
 * trays stand at the sides of the cells, in a row above and one below, or over the players' strips.
 * @param {{width: number, height: number, scrolls: boolean, strip: number, strips: boolean, end: number}} room
 *   in pixels: the room for the board, whether it may be higher so that fingers reach its cells, from the
 *   board to the middle of a strip, whether trays may stand in the strips, and how far from their ends
 * @returns {Plan}
 */
export function closeUp(board, rotation, room) {
  const cells = board.places.filter((place) => place.kind === "cell" && place.in_game);
  const near = extent(board, cells, rotation);
  const [far, own] = [-1, 1].map((side) => traysOn(side, board, rotation));
  const shape = { board, rotation, cells, near, far, own, width: near.right - near.left, height: near.bottom - near.top };
  const most = Math.max(...[far, own].map((row) => row.filter((tray) => board.shape !== "hex" || !isShared(board, tray)).length));
  const ways = [sides(shape, room)];
  if (most && room.strips && most * NEAREST <= room.width - STRIP_SIGN - room.end) ways.push(strips(shape, room));
  if (far.length || own.length) ways.push(rows(shape, room));
  const best = ways.reduce((one, other) => (other.scale * SIDES_WIN > one.scale ? other : one));
  return best.drawn();
}

// Return the largest scale at which this much fits, with and without names of cells; `needs(around)` are
// the pixels beside `across` × `down` mm.
function scaled({ board }, room, across, down, needs) {
  for (const [around, from] of [[AROUND, LARGE], [CLOSE, NAMED], [THIN, 0]]) {
    const [w, h] = needs(around);
    const wide = (room.width - w) / across;
    const least = room.scrolls ? Math.min(wide, FINGER / board.pitch) : 0.3;
    const scale = Math.max(least, Math.min(wide, (room.height - h) / down));
    if (scale * board.pitch >= from) return { scale, around };
  }
  return null;
}

// Trays in a column at the left for the far player, at the right for the near one.
function sides(shape, room) {
  const { board, far, own, near, width, height } = shape;
  const count = Math.max(far.length, own.length);
  const cellsDown = Math.round(height / board.pitch);
  const size = count ? Math.min(board.pitch * (cellsDown < 6 ? 0.85 : 1.1), (height - (count - 1) * APART) / count) : 0;
  const columns = (far.length ? 1 : 0) + (own.length ? 1 : 0);
  const fit = scaled(shape, room, width + columns * size, height, (around) => [
    2 * around + columns * 0.75 * around, 2 * around,
  ]);
  const drawn = () => {
    const around = fit.around / fit.scale;
    const outer = around * 0.75;
    const frame = framed(near, around);
    if (far.length) frame.left -= size + outer;
    if (own.length) frame.right += size + outer;
    const x = { far: near.left - around - size / 2, own: near.right + around + size / 2 };
    const trays = new Map();
    const step = size + APART;
    [...far].reverse().forEach((tray, n) => trays.set(tray.id, [x.far, near.top + size / 2 + n * step]));
    const mine = own.filter((tray) => !isShared(board, tray));
    [...mine].reverse().forEach((tray, n) => trays.set(tray.id, [x.own, near.bottom - size / 2 - (mine.length - 1 - n) * step]));
    own.filter((tray) => isShared(board, tray)).forEach((tray, n) => trays.set(tray.id, [x.own, near.top + size / 2 + n * step]));
    return planned(shape, fit, { trays, size: [size, size], frame, reach: frame, kind: "sides" });
  };
  return { scale: fit.scale, drawn };
}

// Trays in a row above the cells and one below.
function rows(shape, room) {
  const { far, own, near, width, height } = shape;
  const count = Math.max(far.length, own.length);
  const wide = Math.min(ROW.widest, (room.width - (count - 1) * ROW.gap) / count);
  const lines = (far.length ? 1 : 0) + (own.length ? 1 : 0);
  const fit = scaled(shape, room, width, height, (around) => [2 * around, 2 * around + lines * (ROW.height + ROW.away)]);
  const drawn = () => {
    const px = 1 / fit.scale;
    const frame = framed(near, fit.around * px);
    const trays = new Map();
    const line = (row, y) => row.forEach((tray, n) => {
      trays.set(tray.id, [(near.left + near.right) / 2 + (n - (row.length - 1) / 2) * (wide + ROW.gap) * px, y]);
    });
    const reach = { ...frame };
    const most = (Math.max(far.length, own.length) * (wide + ROW.gap) - ROW.gap) * px;
    const middle = (frame.left + frame.right) / 2;
    reach.left = Math.min(reach.left, middle - most / 2);
    reach.right = Math.max(reach.right, middle + most / 2);
    if (far.length) {
      line(far, frame.top - (ROW.away + ROW.height / 2) * px);
      reach.top -= (ROW.away + ROW.height) * px;
    }
    if (own.length) {
      line(own, frame.bottom + (ROW.away + ROW.height / 2) * px);
      reach.bottom += (ROW.away + ROW.height) * px;
    }
    return planned(shape, fit, { trays, size: [wide * px, ROW.height * px], frame, reach, kind: "rows" });
  };
  return { scale: fit.scale, drawn };
}

// Trays over the strips of the players, which are above and below the board; those of no player in the
// corners that hexagons leave free.
function strips(shape, room) {
  const { board, near, width, height } = shape;
  const isFree = (tray) => board.shape === "hex" && isShared(board, tray);
  const [far, own] = [shape.far, shape.own].map((row) => row.filter((tray) => !isFree(tray)));
  const free = [...shape.far, ...shape.own].filter(isFree);
  const fit = scaled(shape, room, width, height, (around) => [2 * around, 2 * around]);
  const step = Math.min(FINGER, (room.width - STRIP_SIGN - room.end) / Math.max(far.length, own.length));
  const drawn = () => {
    const px = 1 / fit.scale;
    const frame = framed(near, fit.around * px);
    const trays = new Map();
    const end = (frame.left + frame.right) / 2 + (room.width / 2 - room.end) * px;
    const line = (row, y) => row.forEach((tray, n) => trays.set(tray.id, [end - (row.length - n - 0.5) * step * px, y]));
    line(far, frame.top - room.strip * px);
    line(own, frame.bottom + room.strip * px);
    const corner = (FINGER / 2 + 6) * px;
    free.forEach((tray, n) => trays.set(tray.id, [
      n % 2 ? frame.right - corner : frame.left + corner, frame.bottom - corner - Math.floor(n / 2) * FINGER * px,
    ]));
    return planned(shape, fit, { trays, size: [step * px, FINGER * px], frame, reach: frame, kind: "strips", step });
  };
  return { scale: fit.scale, drawn };
}

function framed({ left, top, right, bottom }, around) {
  return { left: left - around, top: top - around, right: right + around, bottom: bottom + around };
}

// Whether a tray belongs to no player, such as the pool of Robotory.
function isShared(board, tray) {
  return !board.seats.some((seat) => tray.name.split(".").includes(seat.name));
}

// Put all together: `trays` are the middles of the trays on screen, by their ids.
function planned(shape, { scale, around }, { trays, size, frame, reach, kind, step = 0 }) {
  const { board, rotation, cells, near } = shape;
  const moved = new Map(cells.map((cell) => [cell.id, cell]));
  const move = (place, at) => {
    const [x, y] = rotated(at, -rotation);
    moved.set(place.id, { ...place, x, y });
  };
  const light = around / scale / 2;
  for (const seat of board.seats) {
    const [u, v] = rotated([0, 1], seat.facing + rotation);
    const aside = Math.abs(u) > Math.abs(v) ? between(near.top, near.bottom, -u) : between(near.left, near.right, v);
    move(board.places.find((place) => place.id === seat.light), Math.abs(u) > Math.abs(v)
      ? [u < 0 ? near.left - light : near.right + light, aside] : [aside, v < 0 ? near.top - light : near.bottom + light]);
  }

  // The middle of a side, or half a cell to the right of the player there if a name stands in the middle.
  function between(low, high, sign) {
    const odd = board.shape !== "hex" && Math.round((high - low) / board.pitch) % 2;
    return (low + high) / 2 + (odd ? Math.sign(sign) * board.pitch * 0.5 : 0);
  }
  for (const [id, at] of trays) move(board.places.find((place) => place.id === id), at);
  const shared = [...trays.keys()].filter((id) => isShared(board, moved.get(id)));
  if (shared.length) moved.get(shared.at(-1)).captioned = true; // one caption for all
  const lamp = rotated([size[0] * 0.34, size[1] * 0.34], -rotation);
  const leds = board.leds.map(([x, y, id]) => {
    const [now, was] = [moved.get(id), board.places.find((place) => place.id === id)];
    if (!now) return null;
    return trays.has(id) ? [now.x + lamp[0], now.y + lamp[1], id] : [x + now.x - was.x, y + now.y - was.y, id];
  });
  const slot = rotated(size, rotation).map(Math.abs);
  const drawnBoard = { ...board, places: [...moved.values()], leds, slot_size: slot };
  return {
    board: drawnBoard, rotation, reach, frame, scale, trays: kind, step,
    names: around > THIN && board.shape !== "hex" ? namesOf(cells, near, rotation, around / scale) : [],
  };
}

// Return the names of columns and rows, beside the cells: those that begin the cells' names stand below
// the cells if they are letters (C4), above if they are figures (7f); the others at the side.
function namesOf(cells, near, rotation, around) {
  const halves = cells.map((cell) => {
    const parts = /^([A-Za-z]+|\d+)([A-Za-z]+|\d+)$/.exec(cell.name);
    return { at: rotated([cell.x, cell.y], rotation), parts: parts?.slice(1) };
  });
  if (halves.some(({ parts }) => !parts)) return [];
  const figures = /^\d/.test(cells[0].name);
  const along = (axis) => {
    const lines = new Map();
    for (const { at, parts } of halves) {
      const key = Math.round(at[axis]);
      lines.set(key, (lines.get(key) ?? parts).filter((part) => parts.includes(part)));
    }
    return [...lines].map(([at, [text]]) => ({ at, text }));
  };
  const [x, y] = figures ? [near.right + around * 0.5, near.top - around * 0.5] : [near.left - around * 0.5, near.bottom + around * 0.5];
  return [
    ...along(0).map(({ at, text }) => ({ text, x: at, y })),
    ...along(1).map(({ at, text }) => ({ text, x, y: at })),
  ].filter(({ text }) => text);
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
