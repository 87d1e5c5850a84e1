// The light of the strip, drawn from the pixels that its chips received, and the signs that repeat
// each signal for people who cannot distinguish the colours.
import { outline } from "./board.js";
import { html, svg } from "./elements.js";
import { signRadius } from "./pieces.js";

const LENS = 2.1; // mm, the radius of an LED
const SEEN = 5; // pixels that its radius has at most
const EDGE = 26; // pixels that the light of a seat reaches
const FULL = 0.28; // the share of an LED's full power that looks fully bright on the page
const RIM = 1.6; // pixels of a bright rim around the light of a cell, which parts it from wood of any tone
// How the red, green and blue of an LED look on a screen, in linear light: its red is warmer than a
// screen's, and its blue, which would be nearly black on wood, is lighter.
const SEEN_AS = [[1, 0.05, 0.02], [0.03, 0.9, 0.06], [0.06, 0.15, 1]];
export const SIGNS = {
  WHITE: "◎", BLUE: "○", RED: "✕", YELLOW: "!", TEAL: "★", along: "»", attacks: "↯", pip: "●",
  turn: "▸", last: "",
};

// Behind the sign of a target: how good the move there is.
export const GRADES = { best: "★", fine: "", doubtful: "?", losing: "⁇" };

// Return the sign of a light: that of its role, or else of its signal.
function signOf({ signal, second_signal: second, role, grade }) {
  if (grade) return SIGNS[second && second !== "TEAL" ? second : signal] + GRADES[grade];
  return SIGNS[role || second || signal];
}

// Return a painter for the LEDs of a drawn board: paint(bytes), three bytes a pixel.
export function drawLights(drawing) {
  const { layers, board } = drawing;
  layers.light.replaceChildren();
  const reach = drawing.scale ? Math.min(board.pitch * 0.6, EDGE / drawing.scale) : board.pitch * 0.6;
  const lamps = board.leds.map((led, index) => {
    if (!led) return null; // it is not in the picture
    const [x, y, id] = led;
    const place = drawing.places.get(id);
    const cell = place && place.kind !== "edge";
    const gradient = svg(layers.defs, "radialGradient", {
      id: `led-${index}`, gradientUnits: "userSpaceOnUse", cx: x, cy: y,
      r: cell ? board.pitch * 1.25 : reach,
    });
    svg(gradient, "stop", { offset: 0, class: "led-core" });
    svg(gradient, "stop", { offset: 0.1, class: "led-near" });
    svg(gradient, "stop", { offset: 0.42, class: "led-mid" });
    svg(gradient, "stop", { offset: 1, class: "led-far" });
    // A cell has walls: its light fills it, and little of it reaches the neighbours.
    const fill = { fill: `url(#led-${index})`, class: "glow" };
    const rim = drawing.scale ? RIM / drawing.scale : 0.8;
    const glow = cell
      ? svg(layers.light, "path", {
        ...fill, d: outline(board, place, 0.6 + rim / 2, [place.x, place.y]), "stroke-width": rim,
      })
      : svg(layers.light, "circle", { ...fill, cx: x, cy: y, r: reach });
    const lens = svg(layers.light, "circle", { cx: x, cy: y, r: drawing.scale ? Math.min(LENS, SEEN / drawing.scale) : LENS, class: "lens" });
    return { gradient, glow, lens };
  });
  let shown = new Uint8Array(lamps.length * 3);
  let wanted = null;

  function show() {
    const bytes = wanted;
    wanted = null;
    for (let i = 0; i < lamps.length; i += 1) {
      const [r, g, b] = [bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]];
      if (r === shown[3 * i] && g === shown[3 * i + 1] && b === shown[3 * i + 2]) continue;
      if (lamps[i]) paint(lamps[i], r, g, b);
    }
    shown = bytes.slice();
  }

  return {
    paint(bytes) {
      if (!wanted) requestAnimationFrame(show);
      wanted = bytes;
    },
    get shown() { return shown; },
  };
}

// A pixel is linear light, but the eye and the screen are not linear: hence the roots.
function paint(lamp, r, g, b) {
  const most = Math.max(r, g, b);
  if (!most) {
    lamp.glow.style.display = "none";
    lamp.lens.style.fill = "";
    return;
  }
  const share = (n) => (SEEN_AS[0][n] * r + SEEN_AS[1][n] * g + SEEN_AS[2][n] * b) / most;
  const hue = [0, 1, 2].map((n) => Math.round(255 * Math.min(1, share(n)) ** 0.45));
  const pale = `rgb(${hue.map((value) => Math.round(128 + value / 2))})`;
  lamp.gradient.style.color = `rgb(${hue})`;
  lamp.lens.style.fill = pale;
  lamp.glow.style.stroke = pale;
  lamp.glow.style.opacity = Math.min(1, (most / 255 / FULL) ** 0.4).toFixed(3);
  lamp.glow.style.display = "block";
}

// Draw the sign of each light beside it, and an arrow for the first movement of the repair plan.
export function drawSigns(drawing, lights, plan) {
  const { layers, board, places, rotation } = drawing;
  layers.signs.replaceChildren();
  if (plan.length) drawArrow(layers.signs, places.get(plan[0].from), places.get(plan[0].to), board.pitch);
  const lamp = new Map(board.leds.filter(Boolean).map(([x, y, id]) => [id, [x, y]]));
  for (const [id, light] of Object.entries(lights)) {
    const place = places.get(id);
    if (!place || !lamp.has(id) || (light.level < 0.3 && !light.grade) || !signOf(light)) continue;
    const [x, y] = lamp.get(id);
    const group = svg(layers.signs, "g", {
      transform: `translate(${x} ${y}) rotate(${-rotation})`, class: `sign sign-${light.signal}`,
    });
    drawSign(group, signOf(light), signRadius(drawing));
  }
}

// The signs as drawings, with a radius of 10.
const SHAPES = {
  "◎": '<circle r="4.6" fill="none"/><circle r="1.5" class="solid"/>',
  "○": '<circle r="4.3" fill="none"/>',
  "✕": '<path d="M-3.6-3.6 3.6 3.6M3.6-3.6-3.6 3.6"/>',
  "!": '<path d="M0-5V1.2"/><circle cy="4.6" r=".7" class="solid"/>',
  "★": '<path class="solid" d="M0-5.4 1.6-1.8 5.4-1.5 2.5 1 3.5 4.8 0 2.7-3.5 4.8-2.5 1-5.4-1.5-1.6-1.8z"/>',
  "▸": '<path class="solid" d="M-2.6-4.6 4.6 0-2.6 4.6z"/>',
};

/** Draw a sign on its dark disc, of some radius around 0, 0. */
export function drawSign(parent, sign, r) {
  if (!SHAPES[sign]) {
    const half = Array.from(sign).length > 1 ? 1.55 * r : r;
    svg(parent, "rect", { x: -half, y: -r, width: 2 * half, height: 2 * r, rx: r });
    svg(parent, "text", { y: r * 0.5, "font-size": r * 1.45 }, sign);
    return;
  }
  const group = svg(parent, "g", { transform: `scale(${r / 10})` });
  svg(group, "circle", { r: 9.3, class: "disc-of-sign" });
  group.insertAdjacentHTML("beforeend", SHAPES[sign]);
}

/** Write a sentence into `parent`, with each sign of a light drawn as on the board. */
export function writeWithSigns(parent, text) {
  parent.replaceChildren();
  for (const part of text.split(/([◎○✕★▸❗][.,:;]?)/u)) {
    const [mark, after] = [part.slice(0, 1), part.slice(1)];
    const colour = { "◎": "WHITE", "○": "BLUE", "✕": "RED", "❗": "YELLOW", "★": "TEAL", "▸": "WHITE" }[mark];
    if (!colour) {
      parent.append(part);
      continue;
    }
    const both = html(parent, "span", { className: "with-mark" }); // a full stop stays beside its sign
    const sign = svg(both, "svg", { class: `sign in-text sign-${colour}`, viewBox: "-10 -10 20 20", role: "img", "aria-label": mark });
    drawSign(sign, mark === "❗" ? "!" : mark, 10);
    both.append(after);
  }
}

function drawArrow(layer, from, to, pitch) {
  if (!from || !to || from === to) return;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const [x, y] = [to.x - ux * pitch * 0.22, to.y - uy * pitch * 0.22]; // the tip, short of the middle
  const [bx, by] = [x - ux * 6, y - uy * 6];
  const shaft = `M${from.x + ux * pitch * 0.22} ${from.y + uy * pitch * 0.22}L${bx} ${by}`;
  const head = `M${x} ${y}L${bx - uy * 4} ${by + ux * 4}L${bx + uy * 4} ${by - ux * 4}Z`;
  const arrow = svg(layer, "g", { class: "repair-arrow" });
  for (const kind of ["under", "over"]) svg(arrow, "path", { d: shaft + head, class: kind });
}

// Estimate the current that these pixels draw, in mA (55 mA for a white LED, 1 mA for a dark one).
export function current(bytes) {
  let sum = 0;
  for (const value of bytes) sum += value;
  return Math.round((55 * sum) / (3 * 255) + bytes.length / 3);
}
