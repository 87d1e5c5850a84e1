// What builders need: the wires' faults, the lights' meanings and their current, the recording.
import { html, svg } from "./elements.js";
import { current, drawSign, GRADES, SIGNS } from "./lights.js";
import { sensorsAt } from "./sensors.js";
import { field } from "./setup.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Return the view for builders. Call drawAgain() when the board or its language has changed. */
export function buildersAt(world, act) {
  const sensors = sensorsAt(world, act);
  return {
    show: showFaultList,
    light(bytes) { // of every frame
      if (document.body.dataset.at !== "builders") return;
      $("power").textContent = tn("About {n} mA for the lights", "About {n} mA for the lights", current(bytes));
    },
    opened() {
      if (world.bytes) this.light(world.bytes);
      sensors.begin();
    },
    drawAgain() {
      const { role, simulated } = world.board;
      $("broken").hidden = simulated && role.name === "host";
      delete $("fault-list").dataset.key; // it remembers what it shows, but not in which language
      showLegend();
      sensors.drawAgain();
      if (simulated) showFaults(world, act);
      if (world.state) showFaultList(world.state);
    },
  };
}

function showSign(parent, sign) {
  drawSign(svg(parent, "svg", { viewBox: "-10 -10 20 20", role: "img", "aria-label": sign }), sign, 10);
}

// Show what each colour of light means.
function showLegend() {
  const signals = [
    ["WHITE", "WHITE", t("from here; put it back here")], ["WHITE", "along", t("goes along")],
    ["BLUE", "BLUE", t("you may put it here")], ["RED", "RED", t("take off the piece here")],
    ["YELLOW", "YELLOW", t("attention; choose")], ["YELLOW", "attacks", t("a danger comes from here")],
    ["YELLOW", "pip", t("the number thrown")], ["TEAL", "TEAL", t("advice; accepted")],
    ["WHITE", "turn", t("whose turn it is")],
  ];
  const legend = $("legend");
  legend.replaceChildren();
  for (const [signal, sign, text] of signals) {
    showSign(html(legend, "dt", { className: `sign sign-${signal}` }), SIGNS[sign]);
    html(legend, "dd", {}, text);
  }
  const grades = [["best", t("best")], ["doubtful", t("doubtful")], ["losing", t("losing")]];
  for (const [grade, text] of grades) {
    showSign(html(legend, "dt", { className: "sign sign-BLUE" }), SIGNS.BLUE + GRADES[grade]);
    html(legend, "dd", {}, text);
  }
}

// Show the ways to break the simulated hardware.
function showFaults(world, act) {
  const form = $("fault-form");
  form.replaceChildren();
  const kinds = {
    stuck_on: t("a sensor stuck on"), stuck_off: t("a sensor stuck off"),
    bounce: t("a contact that bounces"), wire: t("a sensor's wire cut"),
    missing: t("a chip unplugged from the bus"), back: t("a chip put back"),
    reset: t("a chip that lost its settings"), silent: t("a chip that does not answer"),
    chain: t("the chain of lights cut ahead of a pixel"), interrupt: t("interrupts that are missed"),
  };
  const kind = field(form, "select", t("Fault"));
  for (const [value, name] of Object.entries(kinds)) html(kind, "option", { value }, name);
  const place = field(form, "select", t("Place"));
  for (const each of world.board.places) {
    if (each.kind !== "edge") html(place, "option", { value: each.id }, each.label);
  }
  place.value = world.focus;
  const chip = field(form, "select", t("Chip"));
  for (const each of world.board.chips) html(chip, "option", { value: each }, `0x${each.toString(16)}`);
  const count = field(form, "input", t("How many"));
  Object.assign(count, { type: "number", min: 0, max: 1000, value: 5 });
  const show = () => {
    const needed = (input, ...names) => { // a hidden field must not keep the form from being sent
      input.disabled = input.parentElement.hidden = !names.includes(kind.value);
    };
    needed(place, "stuck_on", "stuck_off", "bounce", "wire");
    needed(chip, "missing", "back", "reset", "silent");
    needed(count, "bounce", "silent", "chain", "interrupt");
    count.min = Number(["bounce", "interrupt"].includes(kind.value));
  };
  kind.onchange = show;
  show();
  const row = html(form, "div", { className: "row" });
  const send = (fault) => act("fault", {
    fault, place: place.value, chip: Number(chip.value), count: Number(count.value),
  });
  html(row, "button", {}, t("Let it happen"));
  form.onsubmit = (event) => { event.preventDefault(); send(kind.value); };
  html(row, "button", { type: "button" }, t("Repair everything")).onclick = () => send("none");
}

// Show what the board reports as broken.
function showFaultList(state) {
  const holder = $("fault-list");
  const lines = [...new Set([...state.faults, ...state.injected_faults])];
  const key = JSON.stringify([lines, state.past_faults]);
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  for (const line of lines) html(holder, "li", {}, line);
  if (!lines.length) html(holder, "li", { className: "nothing" }, t("Everything works."));
  $("fault-past").replaceChildren();
  for (const line of state.past_faults) html($("fault-past"), "li", { className: "nothing" }, line);
}
