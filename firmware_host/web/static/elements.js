// What the rest of the page is made of.

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
