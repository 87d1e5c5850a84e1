// A menu that opens under its button. Arrow keys go through it, Esc and a click elsewhere close it.
import { html, icon } from "./elements.js";

let open = null; // the menu that is open, with its button

/**
 * Let a button open a menu. `items()` returns its items: a text with what it does or an address to
 * download; `more` is a menu in its place.
 * @param {HTMLButtonElement} button
 * @param {() => {text: string, icon?: string, act?: () => void, href?: string, more?: () => object[]}[]} items
 */
export function menuOf(button, items) {
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.onclick = () => {
    const again = open?.button === button;
    close();
    if (!again) show(button, items());
  };
  button.onkeydown = (event) => {
    if (event.key !== "ArrowDown" || open?.button === button) return;
    event.preventDefault();
    button.click();
  };
}

function show(button, items) {
  const menu = html(button.parentElement, "div", { className: "popup", role: "menu", "aria-label": button.getAttribute("aria-label") });
  open = { button, menu };
  button.setAttribute("aria-expanded", "true");
  fill(items);
  addEventListener("pointerdown", elsewhere);
}

function fill(items) {
  const { menu } = open;
  menu.replaceChildren();
  for (const item of items) {
    const entry = html(menu, item.href ? "a" : "button", { role: "menuitem", tabIndex: -1 });
    if (item.href) Object.assign(entry, { href: item.href, download: "" });
    else entry.type = "button";
    if (item.icon) icon(entry, item.icon);
    html(entry, "span", {}, item.text);
    entry.onclick = () => {
      if (item.more) fill(item.more());
      else {
        close(true);
        item.act?.();
      }
    };
  }
  menu.onkeydown = (event) => move(event, [...menu.children]);
  menu.onfocusout = ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget) && relatedTarget !== open?.button) close();
  };
  menu.classList.remove("up");
  menu.classList.toggle("up", menu.getBoundingClientRect().bottom > innerHeight);
  menu.firstElementChild.focus();
}

function move(event, entries) {
  const at = entries.indexOf(document.activeElement);
  const to = {
    ArrowDown: (at + 1) % entries.length, ArrowUp: (at - 1 + entries.length) % entries.length, Home: 0, End: entries.length - 1,
  }[event.key];
  if (to !== undefined) entries[to].focus();
  else if (event.key === "Escape") close(true);
  else if (event.key === "Tab") close();
  else return;
  if (event.key !== "Tab") event.preventDefault();
  event.stopPropagation();
}

function elsewhere({ target }) {
  if (!open.menu.contains(target) && !open.button.contains(target)) close();
}

// Close the menu that is open; its button has the focus again if `back`.
function close(back = false) {
  if (!open) return;
  const { button, menu } = open;
  open = null;
  removeEventListener("pointerdown", elsewhere);
  button.setAttribute("aria-expanded", "false");
  if (back) button.focus();
  menu.remove();
}
