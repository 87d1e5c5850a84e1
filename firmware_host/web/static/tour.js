// A tour of four steps beside the board: there at the first visit, in nobody's way, recalled as people like.
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// What each step shows, and what it says of that.
const steps = (hands) => [
  ["board-holder", hands
    ? t("This is the board. Touch or click a piece and then its new place, or drag it. The arrow keys and Enter do the same.")
    : t("This page shows the board in front of you. Move its pieces there, and the page follows.")],
  ["board-holder", t("Lift a piece, and the lights help: white is where it came from, blue is where it may go, red is what it may take.")],
  ["thinks", t("Here the board says what it has understood, and what it asks. With “Take back” you undo a move.")],
  ["lessons", t("New to a game? Start with its lessons. “Rules” above shows how the pieces move. Other games are under “Game and board”.")],
];

// Let people go on the tour; it begins by itself where it was never seen. `focusBoard()` is where
// the focus goes that would be lost with it.
export function tourOf(world, focusBoard) {
  const panel = $("tour");
  const all = () => steps(world.board.hands);
  let step = 0;
  let asked = false; // whether somebody called for it, by the button
  let acted = false; // whether somebody has done anything at this page since it began
  let match = ""; // how the match stood when that was seen first

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
    if (target) $(target).classList.add("toured");
  }

  function open(byButton) {
    step = 0;
    asked = byButton;
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
    if (focused && asked) $("tour-again").focus();
    else if (focused) {
      focusBoard();
      scrollTo(0, 0); // where it was read below the board, the board may be out of sight
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
    open(true);
    panel.scrollIntoView({ block: "nearest" });
    $("tour-next").focus({ preventScroll: true });
  };

  return {
    welcome() { // once the page speaks its language
      if (!panel.hidden) show();
      else if (!localStorage.getItem("tour")) open(false);
    },
    acted() { acted = true; },
    // Make way when the match goes on: who plays here needs no tour. On a simulated board that
    // others play on, it waits for somebody at this page.
    follow({ plies, dice, lesson }) {
      if (panel.hidden) return;
      const now = JSON.stringify([plies, dice, lesson?.name]);
      const played = match && match !== now && (acted || !world.board.hands);
      match = now;
      if (played) close();
    },
  };
}
