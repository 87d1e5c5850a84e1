// The puzzles and endgames of all games: how far a learner has come, and the next one.
import { html, icon } from "./elements.js";
import { learnerAt } from "./lessons.js";
import { t, tn } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * A course of /api/puzzles: `due` puzzles come back today, `waiting` ones later.
 * @typedef {{game: string, title: string, course: "puzzle" | "endgame" | "own", count: number, solved: number,
 *   due: number, waiting: number, next: string}} Course
 */

/**
 * Let people choose puzzles. Call `fetchAgain()` when the view is opened and when the board or its
 * language has changed.
 * @param {(lesson: string) => void} begin begins a puzzle
 */
export function puzzlesAt(world, begin) {
  const view = document.querySelector('[data-view="learn"]');
  let asked = 0; // the number of the latest request

  async function fetchAgain() {
    if (view.hidden || !world.board) return;
    asked += 1;
    const request = asked;
    try {
      const answer = await fetch(`/api/puzzles?lang=${world.board.language}${learnerAt()}${world.token("&")}`);
      const found = answer.ok ? await answer.json() : null;
      if (found && request === asked) draw(found);
    } catch { /* the lost connection is shown elsewhere */ }
  }

  /** @param {{courses: Course[], problems: string[]}} found */
  function draw({ courses, problems }) {
    const holder = $("puzzle-list");
    const focused = holder.contains(document.activeElement) ? document.activeElement.dataset.puzzles : "";
    $("puzzles").hidden = !courses.length && !problems.length;
    $("puzzle-problems").replaceChildren();
    for (const problem of problems) html($("puzzle-problems"), "p", { className: "wrong" }, problem);
    holder.replaceChildren();
    for (const course of courses) drawOne(html(holder, "li"), course);
    if (focused) holder.querySelector(`[data-puzzles="${CSS.escape(focused)}"]`)?.focus();
  }

  /** @param {Course} course */
  function drawOne(item, course) {
    const { count, solved, due, waiting } = course;
    const key = `${course.game} ${course.course}`;
    const card = html(item, "button", { type: "button", className: "course puzzle-course", "data-puzzles": key });
    const text = html(card, "span", { className: "home-text" });
    html(text, "span", { className: "course-title" }, titleOf(course));
    html(text, "span", { className: "course-count" }, t("{solved} of {count} solved", { solved, count }));
    if (due) html(text, "span", { className: "puzzle-due" }, tn("{n} comes back today", "{n} come back today", due));
    else if (waiting) html(text, "span", { className: "course-count" }, tn("{n} comes back later", "{n} come back later", waiting));
    icon(card, "play");
    html(card, "span", { className: "course-bar" }).style.setProperty("--done", solved / count);
    card.onclick = () => begin(course.next);
  }

  $("puzzles-open").onclick = () => {
    $("puzzles").scrollIntoView();
    $("puzzles-title").focus({ preventScroll: true });
  };
  $("learner").addEventListener("change", fetchAgain);
  return { fetchAgain };
}

function titleOf({ course, title: game }) {
  if (course === "endgame") return t("{game}, endgames", { game });
  return course === "own" ? t("{game}, your own games", { game }) : game;
}
