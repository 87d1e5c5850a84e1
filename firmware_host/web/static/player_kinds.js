// The kinds of players: `person`, `board:NAME` for a person at another board, else a machine.

/** Return the name of the other board at which a player sits; "" for another kind of player. */
export function otherBoard(kind) {
  return kind.startsWith("board:") ? kind.slice("board:".length) : "";
}

/** Whether a machine plays. */
export function isMachine(kind) {
  return kind !== "person" && !otherBoard(kind);
}

/** Return the only seat at which a person of this board sits; -1 if there are none or several. */
export function onlyPerson(kinds) {
  const first = kinds.indexOf("person");
  return first === kinds.lastIndexOf("person") ? first : -1;
}
