// The one WebSocket to the board: commands with answers, states, frames of light, reconnecting.

const LONGEST_WAIT = 8000; // ms between two tries to reconnect
const SILENCE = 20000; // ms without a word: the board is gone, for it beats every 4 seconds

// The token of the link that led here; "" without one. It leaves the address bar, where others may
// read or copy it: when the page is loaded again, a cookie stands for it.
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

// Keep a connection. `on` has up() when a new one may be spoken to, board, which each one begins
// with, state, light(bytes) and down(reason). The result has send(type, fields), a promise of the
// answer that fails with the reason, and retry(), which tries to reconnect at once.
export function connect(on) {
  const waiting = new Map(); // commands without an answer yet, by their numbers
  let socket = null;
  let heard; // the board's clock, as the last beat of this connection told it; it begins with one
  let numbered = 0;
  let wait = 250;
  let timer = 0; // until the next try
  let patience = 0; // until silence means that the board is gone

  function open() {
    clearTimeout(timer);
    heard = undefined;
    const query = new URLSearchParams(location.search);
    const language = localStorage.getItem("language");
    if (language) query.set("lang", language);
    if (token) query.set("token", token);
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws?${query}`);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      listen();
      receive(data);
    };
    socket.onclose = ({ reason }) => lost(reason);
    listen();
  }

  function listen() {
    clearTimeout(patience);
    patience = setTimeout(() => lost(""), SILENCE);
  }

  function receive(data) {
    if (typeof data !== "string") {
      if (new Uint8Array(data)[0] === 2) beat(new DataView(data).getUint32(1));
      else on.light(new Uint8Array(data, 5));
      return;
    }
    const message = JSON.parse(data);
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
    const first = heard === undefined;
    heard = clock;
    if (first) on.up();
  }

  // Have done with the socket, whatever it may still do; what waits for an answer is never repeated.
  function drop(reason) {
    clearTimeout(patience);
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    for (const asked of waiting.values()) asked.reject(new Error(reason));
    waiting.clear();
  }

  function lost(reason) {
    drop(reason);
    on.down(reason);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  open();
  return {
    send(type, fields) {
      const alive = socket.readyState === WebSocket.OPEN && heard !== undefined;
      if (!alive) return Promise.reject(new Error(""));
      numbered += 1;
      const n = numbered;
      socket.send(JSON.stringify({ type, n, heard, ...fields }));
      return new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
    },
    retry() {
      drop("");
      open();
    },
  };
}
