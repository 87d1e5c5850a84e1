// The links by which other devices join: a card for each role, with its QR code. Only the host gets them.
import { html, icon } from "./elements.js";
import { t } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Show the links while their part of the settings is open. Call the result for a new board or language. */
export function invitationsAt(world) {
  const details = $("links-panel");
  let newest = 0; // of several answers only the last one is shown

  async function show() {
    const { shared, simulated, language, role } = world.board;
    details.hidden = role.name !== "host";
    $("links-about").textContent = shared
      ? t("Scan a code with a phone, or send its link. Everyone with a link has its role.")
      : simulated
        ? t("Only this computer can open the page. Start the board with “lampion sim --lan”: then others in your network can join.")
        : t("Only this computer can open the page. Set page = \"0.0.0.0:8710\" in the configuration: then others in your network can join.");
    if (!details.open || details.hidden) return;
    newest += 1;
    const asked = newest;
    try {
      const answer = shared ? await fetch(`/api/links?lang=${language}${world.token("&")}`) : null;
      const links = answer?.ok ? await answer.json() : [];
      if (asked !== newest) return;
      $("links").replaceChildren();
      for (const link of links) card(link);
    } catch { /* the lost connection is shown elsewhere */ }
  }

  function card({ recipient, url, qr }) {
    const item = html($("links"), "li");
    const picture = html(item, "div", { className: "qr", role: "img", "aria-label": t("QR code for {recipient}", { recipient }) });
    picture.innerHTML = qr; // drawn by the board itself
    const code = picture.firstElementChild;
    code.setAttribute("viewBox", `0 0 ${code.getAttribute("width")} ${code.getAttribute("height")}`);
    const text = html(item, "div");
    html(text, "h3", {}, recipient);
    html(text, "code", {}, url);
    const row = html(text, "div", { className: "row" });
    const copy = html(row, "button", { type: "button", "aria-label": t("Copy the link for {recipient}", { recipient }) });
    const said = html(copy, "span", { "aria-live": "polite" }, t("Copy"));
    copy.onclick = async () => {
      said.textContent = await copied(url, item) ? t("Copied") : t("Press and hold the link to copy it.");
    };
    if (!navigator.share) return;
    const share = html(row, "button", { type: "button", "aria-label": t("Share the link for {recipient}", { recipient }) });
    icon(share, "share");
    html(share, "span", {}, t("Share"));
    share.onclick = () => navigator.share({ title: "Lampion", text: recipient, url }).catch(() => {}); // somebody changed their mind
  }

  details.addEventListener("toggle", show);
  return show;
}

// Copy a text; whether that worked. Without https a page has no other clipboard than that of a selection.
async function copied(text, parent) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const input = html(parent, "textarea", { value: text, readOnly: true, className: "hidden" });
    const had = document.activeElement;
    input.select();
    const done = document.execCommand("copy");
    input.remove();
    had?.focus();
    return done;
  }
}
