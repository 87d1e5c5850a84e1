// The WebSocket to the board: commands and answers, states, frames of light, reconnecting.
import { speak, t } from "./words.js";

const PROTOCOL = 2; // the version of the messages, as in protocol.py
const LONGEST_WAIT_MS = 8000; // between two tries to reconnect
const SILENCE_MS = 20000; // the board sends a heartbeat every 4 seconds: now it is gone

// The token of the link that led here; "" without one. It is removed from the address bar, where
// others may read or copy it; when the page is loaded again, a cookie replaces it.
export const token = takeToken();

function takeToken() {
  const query = new URLSearchParams(location.search);
  const taken = query.get("token") ?? "";
  if (taken) {
    query.delete("token");
    const rest = query.toString();
    history.replaceState(history.state, "", location.pathname + (rest && `?${rest}`) + location.hash);
  }
  return taken;
}

// Keep a connection. `on` has up(), called when a new connection can be used, board(message), its
// first message, state(message), light(bytes), refused(reason) and down(reason). The result has
// send(type, fields), a promise of the answer that fails with the reason of a refusal, and retry(),
// which reconnects at once.
export function connect(on) {
  const waiting = new Map(); // the commands without an answer, by their numbers
  let socket = null;
  let heartbeat; // the board's clock in the last heartbeat; undefined before the first one
  let numbered = 0;
  let wait = 250;
  let retryTimer = 0;
  let silenceTimer = 0;

  function open() {
    clearTimeout(retryTimer);
    heartbeat = undefined;
    const query = new URLSearchParams(location.search);
    const language = localStorage.getItem("language");
    if (language) query.set("lang", language);
    if (token) query.set("token", token);
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws?${query}`);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      awaitMore();
      receive(data);
    };
    socket.onclose = ({ reason }) => lost(reason);
    awaitMore();
  }

  function awaitMore() {
    clearTimeout(silenceTimer);
    silenceTimer = setTimeout(() => lost(""), SILENCE_MS);
  }

  function receive(data) {
    if (typeof data !== "string") {
      if (new Uint8Array(data)[0] === 2) beat(new DataView(data).getUint32(1));
      else on.light(new Uint8Array(data, 5));
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "board" && message.protocol !== PROTOCOL) {
      refuseVersion(message);
      return;
    }
    if (message.type === "board") sessionStorage.removeItem("reloaded");
    if (message.type === "board" || message.type === "state") {
      wait = 250;
      on[message.type](message);
      return;
    }
    const asked = waiting.get(message.n);
    waiting.delete(message.n);
    if (message.type === "refused") {
      if (asked) asked.reject(new Error(message.reason));
      else on.refused(message.reason);
    } else if (asked) asked.resolve(message);
  }

  function beat(clock) {
    const first = heartbeat === undefined;
    heartbeat = clock;
    if (first) on.up();
  }

  // The program on the board has another version than this page. Loading the page again gets the page of
  // that version; if even that does not fit, say so and stop.
  function refuseVersion({ language, strings }) {
    drop("");
    if (!sessionStorage.getItem("reloaded")) {
      sessionStorage.setItem("reloaded", "yes");
      location.reload();
      return;
    }
    if (strings) speak(language, strings);
    on.down(t("This page and the program of the board are of different versions. Close the page and open it again."));
  }

  // Give up the socket, whatever it may still do. Commands without an answer are never repeated.
  function drop(reason) {
    clearTimeout(silenceTimer);
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    for (const asked of waiting.values()) asked.reject(new Error(reason));
    waiting.clear();
  }

  function lost(reason) {
    drop(reason);
    on.down(reason);
    retryTimer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  open();
  return {
    send(type, fields) {
      const alive = socket.readyState === WebSocket.OPEN && heartbeat !== undefined;
      if (!alive) return Promise.reject(new Error(""));
      numbered += 1;
      const n = numbered;
      socket.send(JSON.stringify({ type, n, heartbeat, ...fields }));
      return new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
    },
    retry() {
      drop("");
      open();
    },
  };
}
