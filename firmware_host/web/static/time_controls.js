// Time controls in words.
import { t, tn } from "./words.js";

/** The usual ones, as they are written in commands. */
export const CONTROLS = ["none", "5m", "10m", "5m+3s", "15m+10s", "10m+30s*3", "30s/move"];

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
