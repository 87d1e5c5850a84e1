// Makes the elements of the page.

// Make an HTML element with properties, inside `parent`.
export function html(parent, name, properties = {}, text = "") {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  if (text !== "") element.textContent = text;
  parent.append(element);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

// Make an SVG element with attributes, inside `parent`.
export function svg(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

/** Return the address of a file that stands beside this one, at the version of this page. */
export function address(name) {
  return new URL(name, import.meta.url).pathname;
}

// Add an icon of icons.svg to `parent`.
export function icon(parent, name) {
  const picture = svg(parent, "svg", { class: "icon", "aria-hidden": "true" });
  svg(picture, "use", { href: `${address("icons.svg")}#${name}` });
  return picture;
}
