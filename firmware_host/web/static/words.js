// The page's own sentences in the language of this connection. The English sentence is the key; the
// server sends the translations with the board.

let catalogue = {};
let plurals = new Intl.PluralRules("en");
const FORM = { one: 0, two: 1, few: 1, many: 2, other: 2 };

// Use a language from now on; `strings` maps English sentences to a text or a list of plural forms.
export function speak(language, strings) {
  catalogue = strings;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) {
    element.dataset.t ||= element.textContent.trim().replace(/\s+/g, " ");
    element.textContent = t(element.dataset.t);
  }
  for (const element of document.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

// Return a sentence in the language, with its {names} filled in.
export function t(text, values = {}) {
  return fill(catalogue[text] || text, values);
}

// Return the sentence for `n` things; each language has its own plural forms.
export function tn(one, many, n, values = {}) {
  const forms = catalogue[one];
  const last = Array.isArray(forms) ? forms.length - 1 : 1;
  const index = Math.min(FORM[plurals.select(n)], last);
  return fill(Array.isArray(forms) ? forms[index] : n === 1 ? one : many, { n, ...values });
}

// Return a text with its first letter as a capital.
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);
}
