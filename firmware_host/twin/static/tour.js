// A tour of four steps: shown at the first visit, skipped or recalled as people like.
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// What each step shows, and what it says of that.
const steps = (hands) => [
  ["board-holder", hands
    ? t("This is the board. Click a piece and then where it goes, or drag it. The arrow keys and Enter do the same.")
    : t("This is the board that stands before you. Move its pieces there, and the page follows.")],
  ["board-holder", t("Lift a piece, and the lights help: white is where it came from, blue where it may go, red what it may take.")],
  ["thinks", t("Here the board says what it has understood, and what it asks. With “Take back” you undo a move.")],
  ["lessons", t("New to a game? Begin with its lessons. “Rules” above tells how the pieces move. Other games are under “Game and board”.")],
];

// Let people go on the tour; it begins by itself where it was never seen.
export function tourOf(world) {
  const dialog = $("tour");
  const all = () => steps(world.board.hands);
  let step = 0;

  function show() {
    const [target, text] = all()[step];
    mark(target);
    $("tour-title").textContent = t("Welcome: {step} of {count}", { step: step + 1, count: all().length });
    $("tour-text").textContent = text;
    $("tour-back").disabled = !step;
    $("tour-next").textContent = step + 1 < all().length ? t("Next") : t("Let us play");
  }

  function mark(target) {
    for (const each of document.querySelectorAll(".toured")) each.classList.remove("toured");
    if (!target) return;
    $(target).classList.add("toured");
    $(target).scrollIntoView({ block: "center" });
  }

  function open() {
    step = 0;
    show();
    dialog.showModal();
    $("tour-next").focus();
  }

  dialog.onclose = () => { // also by Esc
    localStorage.setItem("tour", "seen");
    mark("");
    scrollTo(0, 0);
  };
  $("tour-back").onclick = () => {
    step -= 1;
    show();
    if (!step) $("tour-next").focus(); // a button that is disabled loses the focus
  };
  $("tour-next").onclick = () => {
    step += 1;
    if (step < all().length) show();
    else dialog.close();
  };
  $("tour-skip").onclick = () => dialog.close();
  $("tour-again").onclick = open;

  return {
    welcome() { // once the page speaks its language
      if (dialog.open) show();
      else if (!localStorage.getItem("tour")) open();
    },
  };
}
