// The one WebSocket to the board: commands with answers, states, frames of light, reconnecting.

const LONGEST_WAIT = 8000; // ms between two tries to reconnect

// Keep a connection. `on` has board, which each one begins with, state, light(bytes) and
// down(seconds until the next try). The result has send(type, fields), a promise of the answer that
// fails with the reason, and retry(), which tries to reconnect at once.
export function connect(on) {
  const waiting = new Map(); // commands without an answer yet, by their numbers
  let socket = null;
  let numbered = 0;
  let wait = 250;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    const query = new URLSearchParams(location.search);
    const language = localStorage.getItem("language");
    if (language) query.set("lang", language);
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws?${query}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => { wait = 250; };
    socket.onmessage = ({ data }) => receive(data);
    socket.onclose = lost;
  }

  function receive(data) {
    if (typeof data !== "string") {
      on.light(new Uint8Array(data, 5));
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "board" || message.type === "state") {
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

  function lost(event) {
    for (const asked of waiting.values()) asked.reject(new Error(event.reason));
    waiting.clear();
    on.down(Math.ceil(wait / 1000), event.reason);
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

  open();
  return {
    send(type, fields) {
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error(""));
      numbered += 1;
      const n = numbered;
      socket.send(JSON.stringify({ type, n, ...fields }));
      return new Promise((resolve, reject) => waiting.set(n, { resolve, reject }));
    },
    retry() {
      if (socket.readyState === WebSocket.CLOSED) open();
    },
    again() { // a new connection, as for another language
      wait = 10;
      socket.close();
    },
  };
}
