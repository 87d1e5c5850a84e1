// The form that begins another game, with its options, on a board that serves it.
import { html } from "./elements.js";
import { field } from "./setup.js";
import { t } from "./words.js";

// Let people begin a game. The games and their options are fetched when the form is opened.
// `leave(then)` asks first if a match is in play; `begun()` shows the new one.
export function showChooser(world, act, leave, begun) {
  const view = document.querySelector('[data-view="home"]');
  const form = document.getElementById("chooser");
  let games = [];

  function draw() {
    form.replaceChildren();
    const game = choice(form, t("Game"), games.map((each) => [each.name, each.title]));
    game.value = world.board.game;
    const rest = html(form, "div");
    let chosen = null; // the fields of the chosen game
    game.onchange = () => { chosen = drawRest(rest, games.find((each) => each.name === game.value)); };
    game.onchange();
    html(form, "button", { className: "main" }, t("Start this game"));
    form.noValidate = true; // errors are shown beside the fields, in the page's language
    form.onsubmit = (event) => {
      event.preventDefault();
      const wrong = [...chosen.options.values()].filter((input) => !isRight(input));
      if (wrong.length) {
        wrong[0].focus();
        return;
      }
      const options = Object.fromEntries([...chosen.options].map(([name, input]) => [name, value(input)]));
      const fields = { game: game.value, layout: chosen.layout.value, options };
      leave(async (rev) => { if (await act("game", { ...fields, rev })) begun(); });
    };
  }

  // Draw the fields of a game: its board and its options.
  function drawRest(rest, game) {
    rest.replaceChildren();
    const same = game.name === world.board.game;
    const layout = choice(rest, world.board.simulated ? t("Simulated board") : t("Board"),
      game.layouts.map((each) => [each.name, each.label]));
    const about = line(layout, "about");
    if (same && game.layouts.some((each) => each.name === world.board.layout)) layout.value = world.board.layout;
    layout.onchange = () => {
      const { sensing, caution } = game.layouts.find((each) => each.name === layout.value);
      about.textContent = `${sensing} ${caution}`;
    };
    layout.onchange();
    const options = new Map();
    for (const option of game.options) {
      const range = option.values.find((each) => each.includes(".."));
      const input = range
        ? number(rest, option, range.split(".."))
        : choice(rest, option.label, option.values.map((each, index) => [each, option.value_labels[index]]), option.help);
      input.value = same ? world.board.options[option.name] : option.values[0];
      options.set(option.name, input);
    }
    return { layout, options };
  }

  async function open() {
    if (view.hidden || !world.board || world.board.role.name !== "host") return;
    const answer = await fetch(`/api/games?lang=${world.board.language}${world.token("&")}`);
    games = await answer.json();
    draw();
  }

  return { opened: open, drawAgain: open }; // draw it again when the board or its language has changed
}

function choice(parent, label, values, about) {
  const select = field(parent, "select", label, about);
  for (const [name, text] of values) html(select, "option", { value: name }, text);
  return select;
}

// Make a field for a whole number, with a line for its error.
function number(parent, option, [min, max]) {
  const input = field(parent, "input", option.label, option.help);
  Object.assign(input, { type: "number", min, max, step: 1, required: true });
  line(input, "wrong").setAttribute("role", "alert");
  input.onchange = () => isRight(input);
  return input;
}

// Add a line that describes a field, under it.
function line(input, className) {
  const id = `${input.id}-${className}`;
  const described = input.getAttribute("aria-describedby");
  input.setAttribute("aria-describedby", described ? `${described} ${id}` : id);
  return html(input.parentElement, "p", { id, className });
}

function value(input) {
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
