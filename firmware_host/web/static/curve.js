// The curve of a match: the winning chance of the first of two seats after each move.
import { svg } from "./elements.js";

const [WIDE, HIGH] = [326, 104]; // the units of the picture

/**
 * Draw the curve into `parent`, in place of what is there.
 * @param {HTMLElement} parent
 * @param {{names: string[], count: number, points: {at: number, share: number}[],
 *   turning: {at: number, number: number}[], here: number | null}} curve the names of the upper and the
 *   lower player; the number of moves; the share of the lower one by move, from 0 (the start); the
 *   turning points with their numbers; the move that is shown
 */
export function drawCurve(parent, { names, count, points, turning, here }) {
  parent.replaceChildren();
  const x = (at) => (WIDE * at) / Math.max(1, count);
  const y = (share) => 4 + (HIGH - 8) * (1 - share);
  const root = svg(parent, "svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  svg(root, "line", { x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2, class: "even" });
  if (points.length) {
    const line = points.map(({ at, share }) => `${x(at).toFixed(1)} ${y(share).toFixed(1)}`);
    const end = x(points.at(-1).at).toFixed(1);
    svg(root, "path", { d: `M${line.join("L")}L${end} ${HIGH}L0 ${HIGH}Z`, class: "share" });
    svg(root, "path", { d: `M${line.join("L")}`, class: "chance" });
  }
  if (here !== null) svg(root, "line", { x1: x(here), x2: x(here), y1: 0, y2: HIGH, class: "here" });
  for (const [index, side] of ["upper", "lower"].entries()) {
    const name = document.createElement("span");
    name.className = `of ${side}`;
    name.textContent = names[index];
    parent.append(name);
  }
  for (const { at, number } of turning) {
    const share = points.find((point) => point.at === at)?.share ?? 0.5;
    const mark = document.createElement("span");
    mark.className = "turning";
    mark.textContent = String(number);
    mark.style.left = `${(100 * x(at)) / WIDE}%`;
    mark.style.top = `${(100 * y(share)) / HIGH}%`;
    parent.append(mark);
  }
}
