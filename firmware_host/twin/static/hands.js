// Hands at the board: drag or click with mouse, touch or pen, and the whole board by keyboard.
//
// A man is lifted and put by the server; only its ghost under the pointer is drawn at once.
import { fill } from "./men.js";
import { make } from "./board.js";

const DRAG_FROM = 6; // pixels that a pointer must travel before a press becomes a drag
const BOX = "box";
const ARROWS = {
  ArrowUp: -90, ArrowDown: 90, ArrowLeft: 180, ArrowRight: 0,
};
const HEX_KEYS = { q: -120, w: -60, a: 180, d: 0, z: 120, x: 60 };

// Let hands work on `world.drawing`. `act(type, fields)` sends a command and shows a refusal.
export function handsAt(world, act) {
  let press = null; // where the pointer went down
  let lifted = null; // the promise of a lift under way
  let pointer = null; // where the ghost hangs, in millimetres

  const held = () => world.state?.men.find((man) => man.held && man.held === world.state.you);
  const top = (id) => world.state?.men.filter((man) => man.place === id).at(-1);
  const target = (id) => world.drawing.targets.get(id);

  async function lift(man) {
    lifted = act("lift", { man: man.id, rev: world.state.table });
    return lifted;
  }

  async function put(place) {
    if (lifted && !(await lifted)) return false;
    const man = held();
    if (!man) return false;
    if (place === man.from && !top(place)) return act("back", { man: man.id, rev: world.state.table });
    return act("put", { man: man.id, place, rev: world.state.table });
  }

  async function back() {
    if (lifted && !(await lifted)) return;
    const man = held();
    if (man) await act("back", { man: man.id, rev: world.state.table });
  }

  function turnOver(type, id) {
    const man = held() || top(id);
    if (man) act(type, { man: man.id, rev: world.state.table });
  }

  // ---- pointers

  function down(event) {
    if (event.button > 0 || !world.state) return;
    const point = world.drawing.position(event);
    const place = world.drawing.under(point);
    press = { x: event.clientX, y: event.clientY, place, dragging: false };
    pointer = point;
    if (place) focus(place.id);
    event.preventDefault();
    world.drawing.svg.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (!world.drawing) return;
    pointer = world.drawing.position(event);
    if (press && !press.dragging && !held()) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM;
      const man = press.place && top(press.place.id);
      if (far && man) {
        press.dragging = true;
        lift(man);
      }
    }
    drawGhost();
  }

  async function up(event) {
    if (!press) return;
    const { dragging, place: from } = press;
    press = null;
    const onBox = document.elementFromPoint(event.clientX, event.clientY)?.closest("#box-holder");
    const place = world.drawing.under(world.drawing.position(event));
    if (dragging) {
      if (place) await put(place.id);
      else if (onBox) await put(BOX);
      else await back();
    } else if (held()) {
      if (place) await put(place.id);
    } else if (from && top(from.id)) await lift(top(from.id));
  }

  function cancel() {
    if (press?.dragging) back();
    press = null;
  }

  function drawGhost() {
    const { ghost } = world.drawing.layers;
    const man = held();
    ghost.replaceChildren();
    if (!man) return;
    const focused = world.drawing.places.get(world.focus);
    const at = pointer || focused;
    if (!at) return;
    const group = make(ghost, "g", { transform: `translate(${at.x} ${at.y - 3})`, class: "man mine" });
    fill(group, world.drawing, man, world.drawing.board.pitch * 1.04);
  }

  // ---- keys

  function focus(id) {
    if (world.focus && target(world.focus)) target(world.focus).tabIndex = -1;
    world.focus = id;
    const element = target(id);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  // Go to the nearest place in a direction (degrees, 0 to the right, 90 down) as seen on screen.
  function go(angle) {
    const here = world.drawing.places.get(world.focus);
    const way = ((angle - world.drawing.turn) * Math.PI) / 180;
    const [ux, uy] = [Math.cos(way), Math.sin(way)];
    let best = null;
    let least = Infinity;
    for (const id of world.drawing.targets.keys()) {
      const place = world.drawing.places.get(id);
      const [dx, dy] = [place.x - here.x, place.y - here.y];
      const ahead = dx * ux + dy * uy;
      const aside = Math.abs(dx * uy - dy * ux);
      const cost = ahead + 2.2 * aside;
      if (ahead > 1 && aside <= ahead * 1.2 && cost < least) [best, least] = [id, cost];
    }
    if (best) focus(best);
    pointer = null;
    drawGhost();
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const id = world.focus;
    const hex = world.board.shape === "hex";
    if (name in ARROWS) go(ARROWS[name]);
    else if (hex && name in HEX_KEYS) go(HEX_KEYS[name]);
    else if (name === "Enter" || name === " ") {
      pointer = null;
      if (held()) put(id);
      else if (top(id)) lift(top(id));
    } else if (name === "Escape") back();
    else if (name === "f") turnOver("flip", id);
    else if (name === "r") turnOver("turn", id);
    else if (name === "b" && held()) put(BOX);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    held, drawGhost, back, focus, put,
    flip: () => turnOver("flip", world.focus),
    turn: () => turnOver("turn", world.focus),
    liftMan: (man) => { pointer = null; return lift(man); },
    // Listen on a newly drawn board and keep the focus where it was.
    attach() {
      const { svg, targets } = world.drawing;
      svg.addEventListener("pointerdown", down);
      svg.addEventListener("pointermove", move);
      svg.addEventListener("pointerup", up);
      svg.addEventListener("pointercancel", cancel);
      svg.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        const place = world.drawing.under(world.drawing.position(event));
        if (place) turnOver("flip", place.id);
      });
      svg.addEventListener("keydown", key);
      const middle = world.board.places.filter((place) => place.kind === "cell" && place.game);
      if (!targets.has(world.focus)) world.focus = middle.at(-2)?.id ?? middle[0].id;
      for (const [id, element] of targets) {
        element.tabIndex = id === world.focus ? 0 : -1;
        element.addEventListener("focus", () => {
          if (world.focus === id) return;
          target(world.focus).tabIndex = -1;
          world.focus = id;
          element.tabIndex = 0;
        });
      }
    },
  };
}
