// Views that only show the match: `?view=overlay` lies over a stream, `?view=wall` hangs on a wall. Whatever
// the role of the link, nothing can be done in them; the server sees to that.

const asked = new URLSearchParams(location.search).get("view");

/** `overlay`, `wall`, or empty for the page itself. */
export const shown = ["overlay", "wall"].includes(asked) ? asked : "";

/** Begin such a view: it is always the match, and its last move stands beside the board. */
export function beginShown() {
  if (!shown) return;
  document.documentElement.dataset.show = shown;
  document.querySelector("main").inert = true; // no control takes the focus
  history.replaceState(history.state, "", `${location.pathname}${location.search}#/play`);
  document.getElementById("record").prepend(document.getElementById("drawer-move"));
}

/** Return the room of the board in such a view, as `room()` of a match does. */
export function shownRoom(seats, strip, upright, gap) {
  const { innerWidth: width, innerHeight: height } = window;
  const fixed = { strip: 0, strips: false, end: 0 };
  if (shown === "wall") {
    const beside = width > height; // else the players stand below
    return { ...fixed, width: beside ? width * 0.68 : width * 0.96, height: beside ? height * 0.96 : height * 0.6 };
  }
  return { ...fixed, width: width - 2 * gap - (seats > 2 ? 2 * (upright + gap) : 0), height: height - 2 * (strip + 2 * gap) };
}
