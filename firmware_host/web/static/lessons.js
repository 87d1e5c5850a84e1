// The lessons of a game as a path of chapters, who learns, and the lesson in play.
import { html, icon } from "./elements.js";
import { smallBoard } from "./small_board.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

/**
 * A lesson of /api/lessons: `hint` says whether it was solved only with a hint.
 * @typedef {{name: string, title: string, chapter: string, done: boolean, hint: boolean}} Lesson
 *
 * A game of /api/lessons; `next` is the first lesson that is not solved.
 * @typedef {{name: string, title: string, lessons: Lesson[], next: {name: string, title: string, task: string,
 *   picture: import("./small_board.js").Picture, pieces: object[]} | null}} Course
 */

/** The learner whom this browser knows, as a part of an address. */
export function learnerAt() {
  const learner = localStorage.getItem("learner") ?? "";
  return learner && `&learner=${encodeURIComponent(learner)}`;
}

// Let people choose lessons. The result has now(state), which shows the lesson in play, and
// fetchAgain(): call it when the board or its language has changed. `started()` shows the match.
export function lessonsAt(world, act, started) {
  const view = document.querySelector('[data-view="learn"]');
  let stage = "";
  let chosen = ""; // the game whose lessons are shown
  let asked = 0; // the number of the latest request

  async function begin(lesson) {
    const learner = localStorage.getItem("learner") ?? "";
    if (!await act("lesson", { lesson, learner, rev: world.state.rev })) return;
    started();
    $("says").focus({ preventScroll: true }); // a screen reader reads the task
  }

  async function fetchAgain() {
    if (view.hidden || !world.board) return;
    asked += 1;
    const request = asked;
    try {
      const answer = await fetch(`/api/lessons?lang=${world.board.language}${learnerAt()}${world.token("&")}`);
      const found = await answer.json();
      if (request === asked) draw(found);
    } catch { /* the lost connection is shown elsewhere */ }
  }

  /** @param {{games: Course[], problems: string[], learners: string[]}} found */
  function draw({ games, problems, learners }) {
    const focused = view.contains(document.activeElement) ? { ...document.activeElement.dataset } : {};
    $("lesson-problems").replaceChildren();
    for (const problem of problems) html($("lesson-problems"), "p", { className: "wrong" }, problem);
    $("learners").replaceChildren();
    for (const name of learners) html($("learners"), "option", { value: name });
    if (!games.some((each) => each.name === chosen)) {
      chosen = (games.find((each) => each.name === world.board.game) ?? games[0])?.name;
    }
    drawGames(games);
    drawMarks();
    const { lesson, course } = focused;
    if (lesson) $("lesson-list").querySelector(`[data-lesson="${CSS.escape(lesson)}"]`)?.focus();
    else if (course) $("lesson-games").querySelector(`[data-course="${CSS.escape(course)}"]`)?.focus();
    else if ("begin" in focused) $("lesson-first").querySelector("button")?.focus();
  }

  /** @param {Course[]} games */
  function drawGames(games) {
    const holder = $("lesson-games");
    holder.replaceChildren();
    for (const game of games) {
      const done = game.lessons.filter((each) => each.done).length;
      const values = { game: game.title, done, count: game.lessons.length };
      const label = t("{game}: {done} of {count} done", values);
      const chip = html(holder, "button", { type: "button", className: "course", "data-course": game.name, "aria-label": label });
      html(chip, "span", { className: "course-title" }, game.title);
      html(chip, "span", { className: "course-count" }, `${done}/${game.lessons.length}`);
      const bar = html(chip, "span", { className: "course-bar" });
      bar.style.setProperty("--done", done / game.lessons.length);
      chip.onclick = () => { chosen = game.name; choose(games); };
    }
    choose(games);
  }

  function choose(games) {
    for (const chip of $("lesson-games").children) {
      chip.setAttribute("aria-pressed", String(chip.dataset.course === chosen));
    }
    const course = games.find((each) => each.name === chosen);
    drawNext(course);
    drawPath(course);
  }

  /** @param {Course | undefined} course */
  function drawNext(course) {
    const holder = $("lesson-first");
    holder.hidden = !course;
    holder.replaceChildren();
    if (!course) return;
    const { next } = course;
    if (!next) {
      icon(holder, "star");
      html(holder, "p", { className: "go-on-text" }, t("All lessons of this game are solved."));
      return;
    }
    smallBoard(html(holder, "span", { className: "lesson-picture" }), next.picture, next.pieces);
    const text = html(holder, "p", { className: "go-on-text" });
    html(text, "strong", {}, next.title);
    html(text, "span", {}, next.task);
    const button = html(holder, "button", { type: "button", className: "main", "data-begin": "" });
    icon(button, "play");
    html(button, "span", {}, course.lessons.some((each) => each.done) ? t("Next lesson") : t("First lesson"));
    button.onclick = () => begin(next.name);
  }

  /** @param {Course | undefined} course */
  function drawPath(course) {
    const holder = $("lesson-list");
    holder.replaceChildren();
    let chapter = null;
    let list = null;
    for (const [index, lesson] of (course?.lessons ?? []).entries()) {
      if (chapter !== lesson.chapter) {
        chapter = lesson.chapter;
        const box = html(holder, "section", { className: "chapter panel" });
        if (chapter) html(box, "h3", {}, chapter);
        list = html(box, "ol");
      }
      drawOne(html(list, "li"), lesson, index + 1, course.next?.name === lesson.name);
    }
  }

  /** @param {Lesson} lesson */
  function drawOne(item, lesson, number, next) {
    const now = world.state?.lesson?.name === lesson.name;
    const button = html(item, "button", { type: "button", className: next ? "next" : "", "data-lesson": lesson.name });
    if (now) button.setAttribute("aria-current", "true");
    mark(button, lesson.done ? (lesson.hint ? "hint" : "alone") : "", number);
    html(button, "span", {}, lesson.title);
    const said = lesson.done ? (lesson.hint ? t("solved with a hint") : t("solved alone")) : next ? t("next lesson") : "";
    if (said) html(button, "span", { className: "hidden" }, said);
    button.onclick = () => begin(lesson.name);
  }

  // What was solved alone has a full star, with a hint an empty one, and the rest its number.
  function mark(parent, solved, number) {
    const disc = html(parent, "span", { className: "tick", "aria-hidden": "true", "data-solved": solved });
    if (solved) icon(disc, "star");
    else disc.textContent = String(number);
  }

  function drawMarks() {
    const holder = $("lesson-marks");
    holder.replaceChildren();
    for (const [solved, text] of [["alone", t("solved alone")], ["hint", t("solved with a hint")]]) {
      const one = html(holder, "span");
      mark(one, solved, 0);
      html(one, "span", {}, text);
    }
  }

  const learner = $("learner");
  learner.value = localStorage.getItem("learner") ?? "";
  learner.onchange = () => {
    learner.value = learner.value.trim();
    localStorage.setItem("learner", learner.value);
    fetchAgain();
  };

  $("lesson-again").onclick = () => begin(world.state.lesson.name);
  $("lesson-leave").onclick = () => begin("");
  $("lesson-reply").onclick = () => act("play", { move: world.state.lesson.reply, rev: world.state.rev });

  return {
    fetchAgain,
    begin,
    now({ lesson }) {
      $("lesson").hidden = !lesson;
      const key = lesson ? `${lesson.name} ${lesson.stage}` : "";
      if (key !== stage) {
        stage = key;
        fetchAgain();
      }
      if (!lesson) return;
      const head = headOf(lesson);
      if ($("lesson-title").textContent !== head) $("lesson-title").textContent = head;
      $("lesson").dataset.stage = lesson.stage;
      $("lesson-reply").hidden = !lesson.reply || !world.board.simulated;
    },
  };
}

function headOf({ course, number, count, title }) {
  if (course === "puzzle" || course === "own") return t("Puzzle {number} of {count}: {title}", { number, count, title });
  if (course === "endgame") return t("Endgame {number} of {count}: {title}", { number, count, title });
  return t("Lesson {number} of {count}: {title}", { number, count, title });
}
