// The worker of the analysis: gets tasks from the board, a line each, and says answers.
import { pause, startPython } from "./runtime.js";

const early = []; // lines that came before Python was there
self.onmessage = ({ data }) => early.push(data);

const python = await startPython();
const analysis = python.pyimport("firmware_host.browser.analysis");
const lines = analysis.lines(pause);
self.onmessage = ({ data }) => lines.put(data);
for (const line of early) lines.put(line);
analysis.work(lines, (line) => postMessage(line)).catch((error) => {
  setTimeout(() => { throw error; }); // the board hears of it
});
