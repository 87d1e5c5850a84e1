// The name of the drawing of a kind of man, in the game's file under pieces/.
export function symbol(game, kind, owner = "") {
  if (!kind) return "blank";
  if (game === "abalone") return `abalone-${owner}`;
  return `${game}-${kind.replace("+", "p-")}`;
}
