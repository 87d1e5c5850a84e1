// The list of lessons, with a tick for each that was done, and the lesson in play.
import { html } from "./elements.js";
import { field } from "./setup.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// Let people choose lessons. The result has now(state), which shows the lesson in play, and
// fetchAgain(): call it when the board or its language has changed. `started()` shows the match.
export function lessonsAt(world, act, started) {
  const view = document.querySelector('[data-view="learn"]');
  let stage = "";

  async function begin(lesson) {
    if (!await act("lesson", { lesson, rev: world.state.rev })) return;
    started();
    $("says").focus({ preventScroll: true }); // a screen reader reads the task
  }

  async function fetchAgain() {
    if (view.hidden || !world.board) return;
    try {
      const answer = await fetch(`/api/lessons?lang=${world.board.language}${world.token("&")}`);
      draw(await answer.json());
    } catch { /* the lost connection is shown elsewhere */ }
  }

  function draw({ games, problems }) {
    const holder = $("lesson-list");
    const shown = holder.querySelector("select")?.value ?? world.board.game;
    const focused = holder.contains(document.activeElement) && document.activeElement;
    holder.replaceChildren();
    for (const problem of problems) html(holder, "p", { className: "wrong" }, problem);
    const select = field(holder, "select", t("Lessons of"));
    for (const { name, title, lessons } of games) {
      const done = lessons.filter((each) => each.done).length;
      const text = t("{game}: {done} of {count} done", { game: title, done, count: lessons.length });
      html(select, "option", { value: name }, text);
    }
    const there = games.some((each) => each.name === shown); // a game in play may have no lessons
    select.value = there ? shown : games[0]?.name;
    const list = html(holder, "ol");
    select.onchange = () => {
      list.replaceChildren();
      const game = games.find((each) => each.name === select.value);
      for (const lesson of game?.lessons ?? []) drawOne(html(list, "li"), lesson, list.childElementCount);
    };
    select.onchange();
    const { lesson } = focused?.dataset ?? {};
    if (lesson) list.querySelector(`[data-lesson="${CSS.escape(lesson)}"]`)?.focus();
    else if (focused) select.focus();
  }

  function drawOne(item, lesson, number) {
    const now = world.state?.lesson?.name === lesson.name;
    const button = html(item, "button", { type: "button", "data-lesson": lesson.name });
    if (now) button.setAttribute("aria-current", "true");
    html(button, "span", { className: `tick ${lesson.done ? "done" : ""}`, "aria-hidden": "true" }, lesson.done ? "✓" : String(number));
    html(button, "span", {}, lesson.title);
    if (lesson.done) html(button, "span", { className: "hidden" }, t("done"));
    button.onclick = () => begin(lesson.name);
  }

  $("lesson-next").onclick = () => begin(world.state.lesson.next);
  $("lesson-again").onclick = () => begin(world.state.lesson.name);
  $("lesson-leave").onclick = () => begin("");
  $("lesson-reply").onclick = () => act("play", { move: world.state.lesson.reply, rev: world.state.rev });

  return {
    fetchAgain,
    opened: fetchAgain,
    now({ lesson }) {
      $("lesson").hidden = !lesson;
      const key = lesson ? `${lesson.name} ${lesson.stage}` : "";
      if (key !== stage) {
        stage = key;
        fetchAgain();
      }
      if (!lesson) return;
      const { number, count, title } = lesson;
      const head = t("Lesson {number} of {count}: {title}", { number, count, title });
      if ($("lesson-title").textContent !== head) $("lesson-title").textContent = head;
      $("lesson").dataset.stage = lesson.stage;
      $("lesson-next").hidden = lesson.stage !== "done" || !lesson.next;
      $("lesson-reply").hidden = !lesson.reply || !world.board.simulated;
    },
  };
}
