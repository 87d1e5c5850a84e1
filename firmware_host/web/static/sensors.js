// Every sensor of the board at this moment, chip by chip, and what has changed; for builders.
import { html } from "./elements.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);
const EVERY_MS = 250; // between two looks
const LINES = 60; // of the list of changes; the file has more

/** Return what shows the sensors while the view for builders is open. `act` sends a command. */
export function sensorsAt(world, act) {
  let cells = null; // by the name of each sensor: its row, and where its two numbers stand
  let next = 0; // the number of the next line of the log
  let timer = 0;

  const open = () => document.body.dataset.at === "builders" && world.board?.role.name === "host";

  function lay(chips) {
    cells = new Map();
    $("chips").replaceChildren();
    for (const chip of chips) {
      const table = html($("chips"), "table");
      html(table, "caption", {}, chip.name);
      const head = html(html(table, "thead"), "tr");
      for (const title of [t("Pin"), t("Place"), t("Now"), t("Settled")]) html(head, "th", { scope: "col" }, title);
      const body = html(table, "tbody");
      for (const input of chip.inputs) {
        const row = html(body, "tr");
        html(row, "th", { scope: "row" }, input.pin);
        const place = html(row, "td");
        const light = html(place, "button", { type: "button", "aria-label": t("Light {place}", { place: input.sensor }) }, input.sensor);
        light.onclick = () => act("light", { place: input.place });
        cells.set(input.sensor, { row, raw: html(row, "td"), rest: html(row, "td") });
      }
    }
  }

  const number = (value) => (value === null ? t("unknown") : String(value));

  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function show(state) {
    if (!cells) lay(state.chips);
    for (const chip of state.chips) {
      for (const input of chip.inputs) {
        const cell = cells.get(input.sensor);
        put(cell.raw, number(input.raw));
        put(cell.rest, number(input.rest));
        cell.row.toggleAttribute("data-on", Boolean(input.rest));
      }
    }
    for (const entry of state.log) {
      const line = document.createElement("li");
      line.value = entry.number + 1;
      line.textContent = `${entry.at.toFixed(3)} s: ${said(entry)}`;
      $("edges").prepend(line);
    }
    while ($("edges").children.length > LINES) $("edges").lastElementChild.remove();
    next = state.next;
  }

  function said({ kind, name, reading }) {
    switch (kind) {
      case "edge": return t("{name} reads {reading}", { name, reading });
      case "rest": return t("{name} counts as {reading}", { name, reading });
      case "pulse": return t("{name} changed and changed back", { name });
      case "pressed": return t("button {name} down", { name });
      case "released": return t("button {name} up", { name });
      case "unknown": return t("{name} cannot be read", { name });
      default: return t("{name} can be read again", { name });
    }
  }

  async function look() {
    timer = 0;
    if (!open()) return;
    if (!document.hidden) {
      try {
        const answer = await fetch(`/api/sensors?since=${next}${world.token("&")}`);
        if (!answer.ok) throw new Error(String(answer.status));
        const state = await answer.json();
        if (open()) show(state);
        put($("sensors-lost"), "");
      } catch {
        put($("sensors-lost"), t("The board does not answer."));
      }
    }
    begin();
  }

  function begin() {
    if (open() && !timer) timer = setTimeout(look, cells ? EVERY_MS : 0);
  }

  return {
    begin,
    /** The board or the language is another one. */
    drawAgain() {
      cells = null;
      next = 0;
      $("edges").replaceChildren();
      $("sensors").hidden = world.board.role.name !== "host";
      begin();
    },
  };
}
