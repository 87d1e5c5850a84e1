// How a game is played: a sheet with the ways to play, the clock, and all options below them.
import { html } from "./elements.js";
import { seatSign } from "./pieces.js";
import { field } from "./setup.js";
import { drawings } from "./small_board.js";
import { CONTROLS, controlText } from "./clock.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);
const OWN_CLOCK = "clock"; // the option in which a game names its own clock; here people choose the board's

/**
 * Show how the chosen game is played.
 * @param {{game: import("./home.js").Game, choice: import("./home.js").Choice, clock: string, timed: boolean}} now what
 *   is chosen; `timed` says whether a clock runs
 * @param {{changed: () => void, play: () => void, change: () => void}} on `changed` is called when
 *   something else was chosen, `play` begins the game, `change` shows the seats
 */
export function optionsAt(now, on) {
  const dialog = $("options");
  let inputs = new Map(); // by the name of an option

  function draw() {
    const { game } = now;
    $("options-title").textContent = game.title;
    drawPresets(game);
    drawClock();
    drawMore(game);
  }

  function drawPresets(game) {
    const holder = $("options-presets");
    holder.hidden = !game.presets.length;
    for (const old of holder.querySelectorAll("label")) old.remove();
    game.presets.forEach((preset, index) => {
      const card = radio(holder, "options-preset", index, index === now.choice.preset, () => {
        now.choice.preset = index;
        now.choice.options = { ...usual(game), ...preset.options };
        fill();
        on.changed();
      });
      card.classList.add("preset");
      html(card, "strong", {}, preset.label);
      html(card, "span", {}, preset.about);
    });
  }

  function drawClock() {
    const select = $("options-clock");
    select.replaceChildren();
    for (const control of new Set([...CONTROLS, now.clock])) html(select, "option", { value: control }, controlText(control));
    select.value = now.clock;
    select.onchange = () => {
      now.choice.clock = select.value;
      showWhatMatters();
      on.changed();
    };
  }

  // The single options; without presets they are not folded.
  function drawMore(game) {
    const more = $("options-more");
    const body = $("options-list");
    body.replaceChildren();
    inputs = new Map();
    more.hidden = !game.options.length;
    more.open = !game.presets.length;
    for (const option of game.options) {
      const range = option.values.find((each) => each.includes(".."));
      const input = range ? number(body, option, range.split("..")) : choice(body, option);
      inputs.set(option.name, input);
      input.addEventListener("change", () => {
        if (!isRight(input)) return;
        now.choice.options[option.name] = valueOf(input);
        showWhatMatters();
        on.changed();
      });
    }
    fill();
  }

  function fill() {
    for (const [name, input] of inputs) {
      input.value = now.choice.options[name];
      isRight(input);
    }
    showWhatMatters();
  }

  function showWhatMatters() {
    for (const option of now.game.options) inputs.get(option.name).parentElement.hidden = !matters(option);
    const n = changes();
    $("options-changed").textContent = n ? tn("{n} changed", "{n} changed", n)
      : now.choice.preset === 0 ? t("all as usual") : t("nothing else changed");
  }

  function matters(option) {
    return Object.entries(option.only_if).every(([name, values]) => (
      name === OWN_CLOCK ? now.timed : values.includes(now.choice.options[name])));
  }

  // Return how many options are not as the chosen way to play says.
  function changes() {
    const { game, choice } = now;
    const said = { ...usual(game), ...game.presets[choice.preset]?.options };
    return game.options.filter((option) => matters(option) && choice.options[option.name] !== said[option.name]).length;
  }

  function wrong() {
    return [...inputs.values()].find((input) => !input.parentElement.hidden && !isRight(input));
  }

  $("options-more").ontoggle = (event) => {
    const { open, parentElement: body, offsetTop } = event.target;
    if (open && now.game.presets.length) body.scrollTop = offsetTop - body.offsetTop;
  };
  dialog.querySelector("form.sheet").onsubmit = (event) => { event.preventDefault(); on.play(); };
  $("options-change").onclick = () => { dialog.close(); on.change(); };

  return {
    draw,
    open() {
      dialog.showModal();
      dialog.querySelector("input:checked, select")?.focus();
    },
    /** Whether all options are right; if not, show the first that is wrong. */
    check() {
      const input = wrong();
      if (!input) return true;
      if (!dialog.open) dialog.showModal();
      $("options-more").open = true;
      input.focus();
      return false;
    },
    /** Return the options to play with; those that cannot matter are as usual. */
    wanted() {
      const { game, choice } = now;
      return { ...usual(game), ...Object.fromEntries(game.options.filter(matters).map(({ name }) => [name, choice.options[name]])) };
    },
    /** Return how the game is played, in some words. */
    title() {
      const { game, choice } = now;
      const n = changes();
      const preset = game.presets[choice.preset]?.label ?? t("Rules");
      return n ? tn("{preset}, {n} change", "{preset}, {n} changes", n, { preset }) : preset;
    },
    /** Return the seat that begins; null if that is not known. */
    begins: () => (changes() ? null : now.game.presets[now.choice.preset]?.begins ?? null),
    /** Show who plays beside the button that begins. */
    foot(called) {
      const { game } = now;
      $("options-play").querySelector("span").textContent = t("Play {game}", { game: game.title });
      $("options-names").textContent = called;
      const signs = $("options-signs");
      if (signs.dataset.game === game.name) return;
      signs.dataset.game = game.name;
      drawings(game.picture).then(() => {
        if (signs.dataset.game !== game.name) return;
        signs.replaceChildren();
        for (const seat of game.picture.seats) seatSign(signs, game.picture, seat, game.picture.rotation);
      }, () => {});
    },
  };
}

// Return all options of a game as they usually are.
function usual(game) {
  return Object.fromEntries(game.options.map((option) => [option.name, option.values[0]]));
}

function radio(parent, name, value, checked, chosen) {
  const card = html(parent, "label");
  html(card, "input", { type: "radio", name, value, checked, onchange: chosen });
  return card;
}

function choice(parent, option) {
  const select = field(parent, "select", option.label, option.help);
  option.values.forEach((value, index) => html(select, "option", { value }, option.value_labels[index]));
  return select;
}

// Make a field for a whole number, with a line for its error.
function number(parent, option, [min, max]) {
  const input = field(parent, "input", option.label, option.help);
  Object.assign(input, { type: "number", min, max, step: 1, required: true });
  const id = `${input.id}-wrong`;
  html(input.parentElement, "p", { id, className: "wrong", role: "alert" });
  input.setAttribute("aria-describedby", `${input.getAttribute("aria-describedby") ?? ""} ${id}`.trim());
  return input;
}

function valueOf(input) {
  return input.type === "number" ? String(input.valueAsNumber) : input.value;
}

// Whether the value of a field is allowed; if not, show the error under it.
function isRight(input) {
  if (input.type !== "number") return true;
  const { min, max } = input;
  const right = input.validity.valid;
  input.setAttribute("aria-invalid", String(!right));
  input.parentElement.querySelector(".wrong").textContent = right
    ? "" : t("Write a whole number from {min} to {max}.", { min, max });
  return right;
}
