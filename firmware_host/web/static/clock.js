// The clock of a match: the time in each strip, and the dialog that chooses it and pauses it.
import { begun } from "./acts.js";
import { html, icon } from "./elements.js";
import { play as sound } from "./sound.js";
import { turnOf } from "./strips.js";
import { t, tn } from "./words.js";

export const CONTROLS = ["none", "5m", "10m", "15m", "5m+3s", "15m+10s", "10m+30s*3", "30s/move"];
const TENTHS_S = 10; // tenths are shown below this, and each second ticks

/**
 * A clock as the state has it.
 * @typedef {object} Clock
 * @property {string} control
 * @property {number[]} seconds_left
 * @property {number[] | null} periods_left
 * @property {number | null} running
 * @property {boolean} paused
 * @property {string} stopped
 * @property {number[]} short
 * @property {number[]} flagged
 * @property {boolean} beside
 */

/**
 * Show the clock. Strips ask for their part with `place`; `show` takes each new state.
 * @param {{state: object, board: object}} world
 * @param {(command: string, fields: object) => void} act
 */
export function clockAt(world, act) {
  /** @type {Clock | null} */
  let clock = null;
  let since = 0; // when its times were right, by the time of the page
  let ticking = 0;
  let ticked = 0; // the second that ticked last
  const dialog = document.getElementById("clock");
  const body = document.getElementById("clock-body");

  // Whether a clock may be chosen here and now.
  function mayChoose() {
    const { board, state } = world;
    return board.role.name === "host" && !begun(state) && !state.lesson && !state.review;
  }

  /** Return what strips draw their clocks by: they are drawn again when it changes. */
  function shows() {
    return `${Boolean(world.state.clock)} ${world.state.clock?.beside} ${mayChoose()}`;
  }

  /** Add the time of a seat to its strip, or to the first one the button that chooses a clock. */
  function place(strip, seat) {
    const { board, state } = world;
    if (!state.clock && !(mayChoose() && seat === 0)) return;
    html(strip, "span", { className: "little" });
    const own = state.clock && !state.clock.beside;
    const opens = board.role.name !== "watcher" && (mayChoose() || own);
    const time = html(strip, opens ? "button" : "span", { className: `clock ${state.clock ? "" : "none"}` });
    if (opens) {
      Object.assign(time, { type: "button", onclick: open });
      time.dataset.key = `clock ${seat}`;
      time.setAttribute("aria-haspopup", "dialog");
    } else time.setAttribute("role", "timer");
    if (!state.clock) {
      icon(time, "clock");
      time.setAttribute("aria-label", t("Choose a clock"));
      return;
    }
    html(time, "time", { "data-seat": seat });
    html(time, "span", { className: "periods" });
  }

  function show() {
    clock = world.state.clock;
    since = performance.now();
    tick();
    clearInterval(ticking);
    if (clock?.running != null) ticking = setInterval(tick, 100);
    if (dialog.open) fill();
  }

  // Return the seconds that a seat has left now.
  function left(seat) {
    const gone = seat === clock.running ? (performance.now() - since) / 1000 : 0;
    return Math.max(0, clock.seconds_left[seat] - gone);
  }

  function tick() {
    const width = clock && `${timeText(Math.max(60, ...clock.seconds_left)).length}ch`; // 10:00 and 9:59 are as wide
    for (const time of document.querySelectorAll(".clock time")) {
      const seat = Number(time.dataset.seat);
      if (!clock || !(seat in clock.seconds_left)) continue;
      const seconds = left(seat);
      replace(time, timeText(seconds));
      if (time.style.minWidth !== width) time.style.minWidth = width;
      const periods = clock.periods_left?.[seat] ?? 0;
      replace(time.nextElementSibling, periods ? `+${periods}` : "");
      const holder = time.parentElement;
      holder.classList.toggle("runs", seat === clock.running);
      const beside = holder.previousElementSibling;
      replace(beside, wordOf(seat));
      beside.classList.toggle("soft", !clock.short.includes(seat) && !clock.flagged.includes(seat));
      const said = `${spoken(seconds)}${periods ? `, ${tn("{n} period more", "{n} periods more", periods)}` : ""}`;
      if (holder.ariaLabel !== said) holder.ariaLabel = said;
      if (seat === clock.running) tickAloud(seconds);
    }
  }

  // Return what is said of the time of a seat in its strip.
  function wordOf(seat) {
    if (clock.flagged.includes(seat)) return t("No time left");
    if (clock.short.includes(seat)) return t("Little time");
    return clock.stopped === "paused" && seat === turnOf(world.state) ? t("Paused") : "";
  }

  // One tick a second in the last ten.
  function tickAloud(seconds) {
    const whole = Math.ceil(seconds);
    if (whole !== ticked && whole > 0 && whole <= TENTHS_S && clock.short.includes(clock.running)) sound("time");
    ticked = whole;
  }

  // ---- the dialog

  function open() {
    fill();
    dialog.showModal();
  }

  function fill() {
    const { board, state } = world;
    const key = JSON.stringify([board.language, mayChoose(), state.clock?.control, state.clock?.paused, state.clock?.stopped]);
    if (body.dataset.key === key) return;
    body.dataset.key = key;
    body.replaceChildren();
    if (mayChoose()) choose(state.clock?.control || "none");
    else pause(state);
  }

  function choose(chosen) {
    const list = html(body, "div", { className: "controls", role: "group", "aria-label": t("Clock") });
    for (const control of [...new Set([...CONTROLS, chosen])]) {
      const button = html(list, "button", { type: "button", "aria-pressed": String(control === chosen) }, controlText(control));
      button.dataset.control = control;
      button.onclick = () => take(control);
    }
    const form = html(body, "form", { className: "row" });
    const label = html(form, "label", { className: "field" });
    html(label, "span", { className: "about" }, t("Another, such as 3m+2s"));
    const own = html(label, "input", { autocomplete: "off", autocapitalize: "off", spellcheck: false, maxLength: 30, required: true });
    html(form, "button", {}, t("Use it"));
    form.onsubmit = (event) => {
      event.preventDefault();
      take(own.value);
    };
  }

  function take(control) {
    act("clock", { control, rev: world.state.rev });
    dialog.close();
  }

  function pause(state) {
    if (!state.clock) {
      dialog.close();
      return;
    }
    html(body, "p", {}, controlText(state.clock.control));
    const why = stoppedText(state.clock.stopped);
    if (why) html(body, "p", { className: "about" }, why);
    if (["not-begun", "over"].includes(state.clock.stopped)) return;
    const on = !state.clock.paused;
    const button = html(html(body, "p", { className: "row" }), "button", { type: "button", className: "main" });
    icon(button, on ? "pause" : "play");
    html(button, "span", {}, on ? t("Pause") : t("Start it again"));
    button.onclick = () => {
      act("pause", { on, rev: world.state.rev });
      dialog.close();
    };
    button.focus();
  }

  return { place, show, shows, open, mayChoose };
}

function replace(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Return a time as digits: `1:02:03`, `4:12`, with tenths below ten seconds: `9.3`. */
export function timeText(seconds) {
  if (seconds < TENTHS_S) return (Math.floor(seconds * 10) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

// Return a time in words, for those who hear it.
function spoken(seconds) {
  const whole = Math.floor(seconds);
  const parts = [];
  if (whole >= 60) parts.push(tn("{n} minute", "{n} minutes", Math.floor(whole / 60)));
  if (whole % 60 || whole < 60) parts.push(tn("{n} second", "{n} seconds", whole % 60));
  return parts.join(" ");
}

/** Return a time control in words. */
export function controlText(control) {
  if (!control || control === "none") return t("No clock");
  const perMove = control.match(/^(\w+)\/move$/);
  if (perMove) return t("{time} for each move", { time: unitText(perMove[1]) });
  const periods = control.match(/^(?:(\w+)\+)?(\w+)\*(\d+)$/);
  if (periods) {
    const [, main, period, n] = periods;
    const then = tn("{n} period of {time}", "{n} periods of {time}", Number(n), { time: unitText(period) });
    return main ? t("{time}, then {periods}", { time: unitText(main), periods: then }) : then;
  }
  const [main, more] = control.split("+");
  if (more) return t("{time}, and {more} more after each move", { time: unitText(main), more: unitText(more) });
  return t("{time} for all moves", { time: unitText(main) });
}

// Return a length of time with its units: `1h30m` as `1 h 30 min`.
function unitText(text) {
  return text.replace(/(\d+)([hms])/g, (_, n, unit) => `${n} ${{ h: "h", m: "min", s: "s" }[unit]} `).trim();
}

// Return why no time runs, where that is not plain to see.
function stoppedText(stopped) {
  return {
    "not-begun": t("It starts with the first move, which costs nothing."),
    over: t("The match is over."),
    paused: t("It is paused. The next move starts it again."),
    blind: t("It is stopped, because some sensors do not answer."),
    repair: t("It is stopped until the board is put right."),
    question: t("It is stopped while the board asks."),
    machine: t("It is stopped while hands make the move."),
  }[stopped] ?? "";
}
