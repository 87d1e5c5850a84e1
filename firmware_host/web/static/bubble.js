// The open question, at its cell: an answer is a picture to touch. It may also be given on the board.
import { html } from "./elements.js";
import { rotated } from "./geometry.js";
import { pictureOf } from "./pieces.js";
import { capital, t } from "./words.js";

/** Return what shows the open question over the board in `holder`. */
export function bubbleAt(world, act, holder) {
  let bubble = null;
  let key = "";

  function show() {
    const { state, board } = world;
    const open = state.question.length > 0 && state.allowed.includes("choose");
    const now = open ? JSON.stringify([state.question, board.language, world.drawing.rotation, world.drawing.scale]) : "";
    if (now === key && (!open || bubble?.isConnected)) return;
    const asked = key === "" || !bubble;
    const had = bubble?.contains(document.activeElement);
    key = now;
    bubble?.remove();
    bubble = null;
    if (!open) return;
    draw(state.question);
    place(state.question);
    const free = document.activeElement === document.body || holder.contains(document.activeElement);
    if (had || (asked && free)) bubble.querySelector(".choice").focus({ preventScroll: true });
  }

  // Ask for pictures where the answers are different pieces in the same cell, else for moves in words.
  function draw(choices) {
    const pictured = choices.every((each) => each.piece) && new Set(choices.map((each) => each.piece.face)).size === choices.length;
    bubble = html(holder, "div", { id: "question", role: "group", className: pictured ? "pictures" : "" });
    const title = html(bubble, "h2", { id: "question-title" }, titleOf(choices, pictured));
    bubble.setAttribute("aria-labelledby", title.id);
    const row = html(bubble, "div", { className: "row" });
    for (const choice of choices) {
      const button = html(row, "button", { type: "button", className: "choice", "data-move": choice.move });
      if (pictured) pictureOf(button, world.board, choice.piece, "answer");
      const words = html(button, "span", { className: pictured ? "hidden" : "words" }, choice.sentence || choice.move);
      words.title = choice.move;
      if (pictured && !choice.button) {
        html(button, "span", { "aria-hidden": "true" }, capital(world.board.kinds[choice.piece.face]));
        button.title = choice.sentence;
      }
      if (choice.button) {
        html(button, "span", {}, choice.button === "yes" ? t("Yes") : t("No"));
        html(button, "kbd", {}, choice.button === "yes" ? "Y" : "N");
      }
      button.onclick = () => act("choose", { move: choice.move });
    }
  }

  function titleOf(choices, pictured) {
    if (choices.length === 2 && choices.every((each) => each.button)) return t("Turn it over?");
    if (pictured && choices.every((each) => each.from === choices[0].from)) return t("What does it become?");
    return choices.length > 1 ? t("Which move was it?") : t("Was it played?");
  }

  // Stand beneath the cell that all answers end in, or above it, inside the board.
  function place(choices) {
    const { drawing } = world;
    const [end] = choices.map((each) => each.to);
    const cell = choices.every((each) => each.to === end) && drawing.places.get(end);
    const { width, height } = holder.getBoundingClientRect();
    const size = { width: bubble.offsetWidth, height: bubble.offsetHeight };
    let [x, y] = [(width - size.width) / 2, height - size.height - 12];
    if (cell) {
      const { reach, scale } = drawing.plan;
      const [u, v] = rotated([cell.x, cell.y], drawing.rotation);
      const [cx, cy] = [(u - reach.left) * scale, (v - reach.top) * scale];
      const half = (drawing.board.pitch * scale) / 2;
      x = Math.max(4, Math.min(cx - size.width / 2, width - size.width - 4));
      const below = cy + half + 12;
      const fits = below + size.height <= height;
      y = fits ? below : cy - half - 12 - size.height;
      bubble.dataset.at = fits ? "below" : "above";
      bubble.style.setProperty("--tip", `${cx - x}px`);
    }
    bubble.style.left = `${x}px`;
    bubble.style.top = `${Math.max(4 - holder.offsetTop, y)}px`;
  }

  return {
    show,
    /** Answer with `yes` or `no`; whether that was an answer. */
    answer(button) {
      const choice = world.state.question.find((each) => each.button === button);
      if (choice && world.state.allowed.includes("choose")) act("choose", { move: choice.move });
      return Boolean(choice);
    },
  };
}
