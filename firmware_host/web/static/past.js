// The past match that the board shows: its steps and its curve, in the view of the match.
import { drawCurve } from "./curve.js";
import { pointsOf, readJudgements, turningOf, unjudged } from "./judgements.js";
import { shown } from "./shown.js";
import { playerName } from "./strips.js";
import { replaceText } from "./turn.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * @param {object} world the last messages of the board
 * @param {(type: string, fields: object) => Promise<boolean>} act sends a command
 * @param {(id: string) => void} look shows the view of a past match
 */
export function pastAt(world, act, look) {
  const section = $("past");
  let known = ""; // the match whose judgements are read
  let judged = unjudged();
  let reading = null; // ends the reading

  const go = (at) => act("review", { match: world.state.review.match, at });

  for (const button of section.querySelectorAll("[data-go]")) {
    button.onclick = () => go(targets(world.state.review)[button.dataset.go]);
  }
  $("past-look").onclick = () => look(world.state.review.match);
  $("past-on").onclick = () => act("press", { button: "yes" });
  $("past-leave").onclick = () => act("review", { match: "" });

  function show() {
    const { review } = world.state;
    section.hidden = !review;
    judge(review?.match ?? "");
    drawPast();
    if (!review) return;
    $("steps").hidden = true; // those of the past match are above
    replaceText($("past-title"), t("A past match: {n} of {count}", { n: review.at, count: review.last }));
    const to = targets(review);
    for (const button of section.querySelectorAll("[data-go]")) button.disabled = to[button.dataset.go] === review.at;
    $("past-on").hidden = !review.goes_on;
  }

  // Read the judgements of the match that the board shows. With more than two seats, and on a page that only
  // shows the match, there is no curve.
  function judge(match) {
    const wanted = world.board.seats.length === 2 && !shown ? match : "";
    if (wanted === known) return;
    known = wanted;
    reading?.abort();
    reading = new AbortController();
    judged = unjudged();
    if (!wanted) return;
    const query = `?lang=${world.board.language}${world.token("&")}`;
    readJudgements(`/api/matches/${encodeURIComponent(wanted)}`, query, judged, reading.signal, drawPast)
      .catch(() => {}); // another match is shown, or the lost connection is shown elsewhere
  }

  function drawPast() {
    const { state, board } = world;
    $("curve").hidden = !known || !state.review;
    if ($("curve").hidden) return;
    drawCurve($("curve"), {
      names: [playerName(world, 1), playerName(world, 0)],
      count: state.review.last,
      points: pointsOf(judged),
      turning: turningOf(judged),
      here: state.review.at,
    });
  }

  return {
    show,
    /** Step by a key; return whether it does that. */
    step(key) {
      const { review } = world.state;
      const name = { "[": "back", "]": "on", Home: "start", End: "end" }[key];
      if (!review || world.board.role.name !== "host") return false;
      go(targets(review)[name]);
      return true;
    },
  };
}

// Return the step to which each button leads.
function targets({ at, last }) {
  return { start: 0, back: Math.max(0, at - 1), on: Math.min(last, at + 1), end: last };
}
