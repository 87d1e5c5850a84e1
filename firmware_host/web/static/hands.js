// Hands at the board: drag or click with mouse, touch or pen, and the whole board by keyboard.
//
// A man is lifted and put by the server; only its ghost under the pointer is drawn at once. The men
// of a real board are people's alone: a page has no hands there, and only looks from place to place.
import { fill } from "./men.js";
import { make } from "./board.js";
import { lowest, nearest, wayOf } from "./walk.js";

const DRAG_FROM = 6; // pixels that a pointer must travel before a press becomes a drag
const BOX = "box";

// Let hands work on `world.drawing`. `act(type, fields)` sends a command and shows a refusal.
export function handsAt(world, act) {
  let press = null; // the pointer that is down, and where it went down
  let doing = Promise.resolve(); // what hands do at the table, one thing after the other
  let pointer = null; // where the ghost hangs, in millimetres

  const held = () => world.state?.men.find((man) => man.held && man.held === world.state.you);
  const top = (id) => world.state?.men.filter((man) => man.place === id).at(-1);
  const target = (id) => world.drawing.targets.get(id);
  const tell = (type, man, more) => act(type, { man: man.id, rev: world.state.table, ...more });

  // Do a step when all before it are done and seen: who is quick speaks of the table as it is then.
  function inTurn(step) {
    if (!world.board?.hands) return;
    doing = doing.then(step).catch((error) => console.error(error));
  }

  const lift = (man) => man && tell("lift", man);

  function put(place) {
    const man = held();
    if (!man) return null;
    if (place === man.from && !top(place)) return tell("back", man);
    return tell("put", man, { place });
  }

  function back() {
    const man = held();
    return man && tell("back", man);
  }

  function turnOver(type, id) {
    const man = held() || top(id);
    return man && tell(type, man);
  }

  // ---- pointers: the first one on the board has the hand; the others zoom and scroll the page

  function down(event) {
    if (press || event.button > 0 || !world.state || !world.board.hands) return;
    const point = world.drawing.position(event);
    const place = world.drawing.under(point);
    const man = place && !held() && top(place.id);
    press = { id: event.pointerId, x: event.clientX, y: event.clientY, place, man, dragging: false };
    pointer = point;
    document.body.classList.add("pointed"); // who points sees where: no ring is drawn as if it were a light
    if (place) focus(place.id);
    event.preventDefault();
    world.drawing.svg.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (press ? press.id !== event.pointerId : event.pointerType === "touch") return;
    pointer = world.drawing.position(event);
    if (press?.place && !press.dragging) {
      const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_FROM;
      press.dragging = far;
      if (far) drag(press);
    }
    drawGhost();
  }

  function drag(gesture) {
    inTurn(() => {
      gesture.dragging = !held(); // what hangs in the hand already is put by a click
      return gesture.dragging && lift(top(gesture.place.id));
    });
  }

  function up(event) {
    if (press?.id !== event.pointerId) return;
    const gesture = press;
    press = null;
    const onBox = document.elementFromPoint(event.clientX, event.clientY)?.closest("#box-holder, #hand-box");
    const place = world.drawing.under(world.drawing.position(event))?.id;
    inTurn(() => {
      if (place && (gesture.dragging || held())) return put(place);
      if (gesture.dragging) return onBox ? put(BOX) : back();
      return gesture.place && !held() && lift(top(gesture.place.id));
    });
  }

  // The browser has taken the pointer for itself, or it is gone: its man goes back.
  function cancel(event) {
    if (press?.id === event.pointerId) letGo();
  }

  function letGo() {
    const gesture = press;
    press = null;
    inTurn(() => gesture?.dragging && back());
  }

  // One finger on a man drags him; any other one may scroll the page, and two may zoom it.
  function touched(event) {
    if (press?.man && event.touches.length === 1 && event.cancelable) event.preventDefault();
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

  document.addEventListener("keydown", () => document.body.classList.remove("pointed"), true);

  function focus(id) {
    if (world.focus && target(world.focus)) target(world.focus).tabIndex = -1;
    world.focus = id;
    const element = target(id);
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
  }

  function go(angle) {
    const best = nearest(world.drawing, world.focus, angle);
    if (best) focus(best);
    pointer = null;
    drawGhost();
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const id = world.focus;
    const way = wayOf(name, world.board.shape);
    if (way !== undefined) go(way);
    else if (name === "Enter" || name === " ") {
      pointer = null;
      inTurn(() => (held() ? put(id) : lift(top(id))));
    } else if (name === "Escape") inTurn(back);
    else if (name === "f") inTurn(() => turnOver("flip", id));
    else if (name === "r") inTurn(() => turnOver("turn", id));
    else if (name === "b") inTurn(() => put(BOX));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    held, drawGhost, focus,
    back: () => inTurn(back),
    box: () => inTurn(() => put(BOX)),
    flip: () => inTurn(() => turnOver("flip", world.focus)),
    turn: () => inTurn(() => turnOver("turn", world.focus)),
    liftMan: (man) => { pointer = null; inTurn(() => lift(man)); },
    // Listen on a newly drawn board and keep the focus where it was.
    attach() {
      letGo(); // what a pointer began on the old drawing ends with that
      const { svg, targets } = world.drawing;
      svg.addEventListener("pointerdown", down);
      svg.addEventListener("pointermove", move);
      svg.addEventListener("pointerup", up);
      svg.addEventListener("pointercancel", cancel);
      svg.addEventListener("lostpointercapture", cancel);
      svg.addEventListener("touchmove", touched, { passive: false });
      svg.addEventListener("contextmenu", (event) => {
        if (!world.board.hands) return;
        event.preventDefault();
        if (press) return; // a finger that rests on its man
        const place = world.drawing.under(world.drawing.position(event));
        if (place) inTurn(() => turnOver("flip", place.id));
      });
      svg.addEventListener("keydown", key);
      if (!targets.has(world.focus)) world.focus = lowest(world.drawing);
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
