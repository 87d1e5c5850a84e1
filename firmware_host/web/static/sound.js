// The sounds of the board: wood, dice, bells. They are made here, and never the only sign of anything.
import { address } from "./elements.js";

const KEY = "sound";
let context = null; // until the first touch browsers keep silent
let on = localStorage.getItem(KEY) !== "off";

// A knock on wood: a short burst of noise through a filter.
function knock(at, pitch, length, loud) {
  const { sampleRate } = context;
  const buffer = context.createBuffer(1, sampleRate * length, sampleRate);
  const data = buffer.getChannelData(0);
  for (let n = 0; n < data.length; n += 1) data[n] = (Math.random() * 2 - 1) * (1 - n / data.length) ** 6;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: pitch, Q: 3 });
  const gain = new GainNode(context, { gain: loud });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start(at);
}

// A soft note that fades.
function note(at, pitch, length, loud) {
  const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

const SOUNDS = {
  lift: (at) => knock(at, 2600, 0.04, 0.5),
  put: (at) => knock(at, 900, 0.12, 1.4),
  capture: (at) => { knock(at, 900, 0.1, 1.4); knock(at + 0.11, 700, 0.14, 1.6); },
  check: (at) => { note(at, 880, 0.25, 0.12); note(at + 0.14, 660, 0.3, 0.12); },
  die: (at) => { for (let n = 0; n < 6; n += 1) knock(at + n * 0.06 + Math.random() * 0.02, 1500 + Math.random() * 900, 0.05, 0.9); },
  turn: (at) => note(at, 330, 0.35, 0.1),
  time: (at) => knock(at, 3200, 0.03, 0.5),
  win: (at) => { [523, 659, 784].forEach((pitch, n) => note(at + n * 0.13, pitch, 0.32, 0.14)); },
  refused: (at) => knock(at, 260, 0.16, 2),
};

/** Play a sound: lift, put, capture, check, die, turn, time, win or refused. */
export function play(name) {
  if (!on || context?.state !== "running" || document.hidden) return;
  SOUNDS[name](context.currentTime);
}

/** Let people switch the sounds on and off with a button, which shows which they are. */
export function watchSound(button) {
  const show = () => {
    button.setAttribute("aria-pressed", String(on));
    button.querySelector("use").setAttribute("href", `${address("icons.svg")}#${on ? "sound" : "mute"}`);
  };
  const change = () => {
    on = !on;
    localStorage.setItem(KEY, on ? "on" : "off");
    show();
    play("put");
  };
  const wake = () => {
    context ??= new AudioContext();
    context.resume();
  };
  button.onclick = change;
  for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, wake, { once: true });
  show();
  return change;
}

/** Return what plays the sounds of each new state. */
export function soundsOf() {
  let before = null;
  return (state, page) => {
    const was = before;
    before = {
      rev: state.table_rev, plies: state.plies.length, over: Boolean(state.outcome), urgent: state.urgent.length,
      turn: state.turn, pieces: state.pieces.length, thrown: JSON.stringify(state.last_throw), held: state.pieces.some((each) => each.held_by === page),
    };
    if (!was) return;
    if (!was.over && before.over) play("win");
    else if (before.urgent && before.plies > was.plies) play("check");
    else if (before.plies > was.plies) play(state.plies.at(-1).takes ? "capture" : "put");
    else if (before.thrown !== was.thrown && state.last_throw.length) play("die");
    else if (!was.held && before.held) play("lift");
    else if (was.held && !before.held) play("put");
  };
}
