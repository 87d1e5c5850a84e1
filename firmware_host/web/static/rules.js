// The short rules of the game in play, or how one piece moves. The rules themselves draw the pictures.
import { drawPicture, outline } from "./board.js";
import { html, svg } from "./elements.js";
import { drawSigns } from "./lights.js";
import { drawPieces } from "./pieces.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

// Let people open the rules. The result has open(kind), which shows only that kind of piece if it is
// given, and redraw(): call it when the board or its language has changed.
export function showRules(world) {
  const dialog = $("rules");
  let kind = null;
  let rules = null; // the rules that were fetched last
  let fetched = ""; // the game, options and language that they are for

  // Fetch the present rules. The promise says whether they are there: that needs a connection.
  async function load() {
    const { board } = world;
    const wanted = JSON.stringify([board.game, board.options, board.language]);
    if (wanted === fetched) return true;
    try {
      const answer = await fetch(`/api/rules?lang=${board.language}${world.token("&")}`);
      rules = await answer.json();
      fetched = wanted;
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
    if (!kind && pictures.length) html(body, "h3", {}, t("How the pieces move"));
    const gallery = html(body, "div", { className: "gallery" });
    for (const picture of pictures) drawOne(gallery, picture);
    if (kind) return;
    part(body, t("Good to know"), rules.notes);
    part(body, t("How a game may end"), rules.endings);
    part(body, t("Options of this match"), rules.options.map((option) => t("{label}: {value}", option)));
  }

  function part(body, title, lines) {
    if (!lines.length) return;
    html(body, "h3", {}, title);
    const list = html(body, "ul");
    for (const line of lines) html(list, "li", {}, line);
  }

  function drawOne(gallery, picture) {
    const figure = html(gallery, "figure");
    const label = `${picture.title}. ${picture.text}`;
    const drawing = drawPicture(figure, world.board, world.board.rotation, label);
    const { layers, places, board } = drawing;
    for (const [name, light] of Object.entries(picture.lights)) {
      const place = places.get(name);
      const d = outline(board, place, 0.5, [place.x, place.y]);
      svg(layers.light, "path", { d, class: `sign-${light.signal}` });
    }
    const pieces = picture.pieces.map((piece, id) => ({ ...piece, id, held_by: "" }));
    drawPieces(drawing, new Map(), { pieces, page: "" });
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
    // Whether there is a picture of such a piece.
    async knows(one) {
      return await load() && rules.pictures.some((each) => each.kinds.includes(one));
    },
  };
}
