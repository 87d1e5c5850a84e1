// The turn line, the sentence of what to do next, and all that the board says.
import { html } from "./elements.js";
import { writeWithSigns } from "./lights.js";

const $ = (id) => document.getElementById(id);
const LONG = 76; // characters that two lines hold; a longer sentence has three lines, closer or of small letters
const LONGEST = 112; // characters that three lines hold beside the board
const REST_MS = 300; // a message that changes sooner is not read out

let readOut = []; // the messages that were last given to screen readers
let resting = 0;

export function replaceText(element, text) { // a live region reads out only what changed
  if (element.textContent !== text) element.textContent = text;
}

// Give screen readers the new messages, once they have come to rest, each only once. Urgent ones were
// read out at once.
function readNew({ messages, urgent }) {
  const fresh = messages.filter((line) => !readOut.includes(line) && !urgent.includes(line));
  readOut = messages;
  for (const line of fresh) html($("spoken"), "p", {}, line);
}

/** Show whose turn it is, what to do next, and the other messages on demand. */
export function showTurn(state) {
  replaceText($("turn"), state.turn_line);
  $("turn").classList.toggle("long", state.turn_line.length > 17);
  const step = state.next_step.join(" ");
  if ($("sentence").dataset.key !== step) {
    $("sentence").dataset.key = step;
    writeWithSigns($("sentence"), step);
    $("sentence").classList.toggle("long", step.length > LONG);
    $("sentence").classList.toggle("longest", step.length > LONGEST);
  }
  showMessages(state);
  replaceText($("alarm"), state.urgent.join(" "));
}

// Keep all that the board says, the most urgent first, behind its button.
function showMessages(state) {
  const holder = $("says");
  const lines = state.messages;
  const key = JSON.stringify(lines);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  clearTimeout(resting);
  $("spoken").replaceChildren();
  resting = setTimeout(readNew, REST_MS, state);
  holder.replaceChildren();
  for (const line of lines) html(holder, "p", {}, line);
  $("details-open").toggleAttribute("data-warns", state.faults.length > 0);
}

/** Let people open what the board says. */
export function watchDetails() {
  const button = $("details-open");
  const says = $("says");
  const open = (yes) => {
    says.hidden = !yes;
    button.setAttribute("aria-expanded", String(yes));
  };
  button.onclick = () => {
    open(says.hidden);
    if (!says.hidden) says.focus({ preventScroll: true });
  };
  says.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    open(false);
    button.focus();
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!says.hidden && !says.contains(target) && !button.contains(target)) open(false);
  });
}
