// The rules of the game in play, short; or how one man moves. Every picture is what the rules say.
import { drawPicture, make, outline } from "./board.js";
import { html } from "./elements.js";
import { drawSigns } from "./lights.js";
import { drawMen } from "./men.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// Let people open the rules. The result has open(kind), which shows one kind of man alone if that
// is given, and redraw(), to be called when the board or its language has changed.
export function showRules(world) {
  const dialog = $("rules");
  let kind = null;
  let rules = null; // what is known of `known`
  let known = "";

  // Fetch the rules of now; whether they are there: without a connection they cannot be had.
  async function load() {
    const { board } = world;
    const wanted = JSON.stringify([board.game, board.options, board.language]);
    if (wanted === known) return true;
    try {
      const answer = await fetch(`/api/rules?lang=${board.language}${world.token("&")}`);
      rules = await answer.json();
      known = wanted;
    } catch {
      return false;
    }
    return true;
  }

  async function open(one = null) {
    if (!await load()) return;
    kind = one;
    draw();
    dialog.showModal();
    dialog.scrollTop = 0;
  }

  function draw() {
    const pictures = rules.pictures.filter((each) => !kind || each.kinds.includes(kind));
    const body = $("rules-body");
    body.replaceChildren();
    $("rules-title").textContent = kind
      ? t("How it moves: {piece}", { piece: world.board.kinds[kind] })
      : t("The rules of {game}, short", { game: rules.title });
    if (!kind) part(body, t("How to win"), rules.aim);
    if (!kind) html(body, "h3", {}, t("How the pieces move"));
    const gallery = html(body, "div", { className: "gallery" });
    for (const picture of pictures) drawOne(gallery, picture);
    if (kind) return;
    part(body, t("Good to know"), rules.notes);
    part(body, t("How a game may end"), rules.endings);
    const chosen = rules.options.map((option) => t("{label}: {value}", option));
    if (chosen.length) part(body, t("Options in force"), chosen);
  }

  function part(body, title, lines) {
    html(body, "h3", {}, title);
    const list = html(body, "ul");
    for (const line of lines) html(list, "li", {}, line);
  }

  function drawOne(gallery, picture) {
    const figure = html(gallery, "figure");
    const label = `${picture.title}. ${picture.says}`;
    const drawing = drawPicture(figure, world.board, world.board.turn, label);
    const { layers, places, board } = drawing;
    for (const [name, light] of Object.entries(picture.lights)) {
      const place = places.get(name);
      const d = outline(board, place, 0.5, [place.x, place.y]);
      make(layers.light, "path", { d, class: `sign-${light.word}` });
    }
    const men = picture.men.map((man, id) => ({ ...man, id, held: "" }));
    drawMen(drawing, new Map(), { men, you: "" });
    const lit = Object.entries(picture.lights).map(([name, light]) => [places.get(name).id, light]);
    drawSigns({ ...drawing, places: new Map(board.places.map((place) => [place.id, place])) }, Object.fromEntries(lit), []);
    html(figure, "figcaption", {}, picture.title);
  }

  $("rules-open").onclick = () => open();
  return {
    open,
    async redraw() {
      if (dialog.open && await load()) draw();
    },
    // Whether there is a picture of such a man.
    async knows(one) {
      return await load() && rules.pictures.some((each) => each.kinds.includes(one));
    },
  };
}
