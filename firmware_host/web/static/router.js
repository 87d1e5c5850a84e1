// The views of the page, by the hash of its address: `#/`, `#/play`, `#/games`, `#/review/ID`.

const PART = { home: "play", review: "games" }; // the part of the page that a view without a link belongs to

/**
 * @typedef {object} View
 * @property {(state: object) => void} [show] draws a state; called only while the view is open
 * @property {(parameter: string) => void} [opened] is called when the view is shown, with what follows its name
 * @property {() => void} [closed] is called when another view is shown
 */

// The hash of an address as a view and its parameter; null if it names none.
function parsed(hash, views) {
  if (!hash.startsWith("#/")) return null;
  const [name, ...rest] = hash.slice(2).split("/");
  return { name: name in views ? name : "home", parameter: decodeURIComponent(rest.join("/")) };
}

/**
 * Show one view at a time. `first(state)` names the view of an address without a hash, once the first
 * state is there.
 * @param {Record<string, View>} views
 * @param {(state: object) => string} first
 */
export function routerOf(views, first) {
  let open = null; // the view that is shown, with its parameter
  let latest = null; // the last state

  function show(next, moved) {
    if (open?.name === next.name && open.parameter === next.parameter) return;
    if (open) views[open.name].closed?.();
    open = next;
    for (const section of document.querySelectorAll("[data-view]")) section.hidden = section.dataset.view !== next.name;
    for (const link of document.querySelectorAll("[data-nav]")) {
      const here = link.dataset.nav === next.name || (link.closest("header") && link.dataset.nav === PART[next.name]);
      link.toggleAttribute("aria-current", here);
      if (here) link.setAttribute("aria-current", "page");
    }
    document.body.dataset.at = next.name;
    if (moved) {
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
      scrollTo(0, 0);
      document.querySelector(`[data-view="${next.name}"] [tabindex="-1"]`)?.focus({ preventScroll: true });
    }
    views[next.name].opened?.(next.parameter);
    if (latest) views[next.name].show?.(latest);
  }

  addEventListener("hashchange", () => {
    const next = parsed(location.hash, views);
    if (next) show(next, true);
    else if (latest && !location.hash) show({ name: first(latest), parameter: "" }, true);
  });

  return {
    get at() { return open?.name ?? ""; },
    /** Go to a view: `go("play")`, `go("review", id)`. */
    go(name, parameter = "") {
      const rest = parameter && `/${encodeURIComponent(parameter)}`;
      location.hash = name === "home" ? "#/" : `#/${name}${rest}`;
    },
    /** Draw a new state in the open view. */
    show(state) {
      latest = state;
      if (open) views[open.name].show?.(state);
      else show(parsed(location.hash, views) ?? { name: first(state), parameter: "" }, false);
    },
  };
}
