// Matches that are kept: with which to go on, if the last one cannot be read.
import { html } from "./elements.js";
import { t, tn } from "./words.js";

export function showKept(state, act) {
  const holder = document.getElementById("kept");
  const key = JSON.stringify([state.kept, document.documentElement.lang]);
  holder.hidden = !state.kept.length;
  if (holder.dataset.key === key) return;
  holder.dataset.key = key;
  holder.replaceChildren();
  html(holder, "h3", {}, t("Continue the match"));
  const list = html(holder, "ul");
  for (const match of state.kept) {
    const moves = tn("{n} move", "{n} moves", match.plies);
    const button = html(html(list, "li"), "button", { type: "button", "data-match": match.name },
      `${match.title}, ${match.played}, ${moves}`);
    button.onclick = () => act("resume", { match: match.name, rev: state.rev });
  }
}
