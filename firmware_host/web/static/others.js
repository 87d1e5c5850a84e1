// The links by which others of the network join, one a role; only the host is told them.
import { html } from "./elements.js";

// The result shows them in the language of now; to be called when the board or its language changed.
export function showOthers(world) {
  const details = document.getElementById("others");

  async function show() {
    details.hidden = !world.board.shared;
    if (!details.open || details.hidden) return;
    try {
      const answer = await fetch(`/api/links?lang=${world.board.language}${world.token("&")}`);
      const links = answer.ok ? await answer.json() : [];
      const list = document.getElementById("links");
      list.replaceChildren();
      for (const { whose, url } of links) {
        const item = html(list, "li");
        html(item, "span", {}, `${whose}: `);
        html(item, "code", {}, url);
      }
    } catch { /* the connection is lost, and that is said */ }
  }

  details.addEventListener("toggle", show);
  return show;
}
