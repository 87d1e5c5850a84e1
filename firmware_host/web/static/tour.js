// A tour of four steps beside the board. It is shown at the first visit and when somebody asks for it.
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// Return the steps: the element that each one points at, and its text.
const steps = (simulated) => [
  ["board-holder", simulated
    ? t("This is the board. Touch or click a piece and then its new place, or drag it. The arrow keys and Enter do the same.")
    : t("This page shows the board in front of you. Move its pieces there, and the page follows.")],
  ["board-holder", t("Lift a piece, and the lights help: white is where it came from, blue is where it may go, red is what it may take.")],
  ["now", t("Here the board says whose turn it is and what it asks. With “Take back” you undo a move.")],
  ["learn-link", t("New to a game? “Learn” has its rules and lessons. “Lampion” leads to the other games.")],
];

// Let people take the tour; it starts by itself where it was never seen. `focusBoard()` takes the
// focus, which would be lost when the tour goes away; `showMatch()` shows the view that the tour is in.
export function tourOf(world, focusBoard, showMatch) {
  const panel = $("tour");
  const all = () => steps(world.board.simulated);
  let step = 0;
  let acted = false; // whether somebody has done anything on this page since it started
  let match = ""; // the match as it was last seen

  function show() {
    const [target, text] = all()[step];
    mark(target);
    $("tour-title").textContent = t("Welcome: {step} of {count}", { step: step + 1, count: all().length });
    if ($("tour-text").textContent !== text) $("tour-text").textContent = text;
    $("tour-back").disabled = !step;
    $("tour-next").textContent = step + 1 < all().length ? t("Next") : t("Let's play");
  }

  function mark(target) {
    for (const each of document.querySelectorAll(".toured")) each.classList.remove("toured");
    $(target)?.classList.add("toured");
  }

  function open() {
    step = 0;
    acted = false;
    match = "";
    panel.hidden = false;
    show();
  }

  function close() {
    const focused = panel.contains(document.activeElement);
    localStorage.setItem("tour", "seen");
    panel.hidden = true;
    mark("");
    if (focused) {
      focusBoard();
      scrollTo(0, 0); // the tour may be below the board, with the board out of sight
    }
  }

  panel.onkeydown = (event) => {
    if (event.key === "Escape") close();
  };
  $("tour-back").onclick = () => {
    step -= 1;
    show();
    if (!step) $("tour-next").focus(); // a button that is disabled loses the focus
  };
  $("tour-next").onclick = () => {
    step += 1;
    if (step < all().length) show();
    else close();
  };
  $("tour-skip").onclick = close;
  $("tour-again").onclick = () => {
    addEventListener("hashchange", () => {
      open();
      panel.scrollIntoView({ block: "nearest" });
      $("tour-next").focus({ preventScroll: true });
    }, { once: true });
    showMatch();
  };

  return {
    welcome() { // once the page has its language
      if (!panel.hidden) show();
      else if (!localStorage.getItem("tour")) open();
    },
    acted() { acted = true; },
    // Close the tour when the match goes on: people who play need no tour. On a simulated board, where
    // others may play, it waits for somebody at this page.
    follow({ plies, dice, lesson }) {
      if (panel.hidden) return;
      const now = JSON.stringify([plies, dice, lesson?.name]);
      const played = match && match !== now && (acted || !world.board.simulated);
      match = now;
      if (played) close();
    },
  };
}
