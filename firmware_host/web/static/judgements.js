// What the search says of the moves of a past match. It comes move by move.

/**
 * A judgement of a move, as /api/matches/ID/judgements has it.
 * @typedef {{index: number, step: number, seat: number, share: number | null, loss: number, chance: number,
 *   good: boolean, why: string,
 *   best: {text: string, sentence: string, from: string | null, to: string | null, why: string}}} Judgement
 * What is known so far: the judgements by the index of the ply, how many will come, and the indexes of the
 * turning points and sentences about the good moves of each player, once all have come.
 * @typedef {{moves: Map<number, Judgement>, expected: number, turning: number[], goodMoves: string[]}} Judged
 */

/** @returns {Judged} */
export function unjudged() {
  return { moves: new Map(), expected: 0, turning: [], goodMoves: [] };
}

/**
 * Read the judgements of a match into `judged`.
 * @param {string} address that of the match
 * @param {string} query language and token
 * @param {Judged} judged
 * @param {AbortSignal} signal ends the reading
 * @param {() => void} changed is called whenever something has come
 */
export async function readJudgements(address, query, judged, signal, changed) {
  const answer = await fetch(`${address}/judgements${query}`, { signal });
  if (!answer.ok) return;
  const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await lines.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) take(judged, JSON.parse(part));
    changed();
  }
  judged.expected = judged.moves.size;
  changed();
}

function take(judged, line) {
  if ("number" in line) judged.expected = line.number;
  else if (line.turning_points) [judged.turning, judged.goodMoves] = [line.turning_points, line.good_moves];
  else judged.moves.set(line.index, line);
}

/** Return the winning chance of the first of two seats after each step that is judged, and before the first. */
export function pointsOf({ moves }) {
  const points = [];
  for (const { step, seat, share, chance, loss } of moves.values()) {
    if (!points.length) points.push({ at: step - 1, share: seat === 0 ? chance + loss : 1 - chance - loss });
    points.push({ at: step, share });
  }
  return points;
}

/** Return the turning points with their numbers, each at its step. */
export function turningOf({ moves, turning }) {
  return turning.map((index, number) => ({ at: moves.get(index).step, number: number + 1 }));
}
