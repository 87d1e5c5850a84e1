// Who plays at each seat, and how many men a turn are graded for it.
import { html } from "./elements.js";
import { t } from "./words.js";

// The choices of one seat, in its card.
export function showSitter(row, world, seat, act) {
  const { company, rev } = world.state;
  if (!company) return;
  const who = html(row, "select", { className: "who", "aria-label": t("Who plays {seat}", { seat: seat.label }) });
  who.dataset.key = `sitter ${seat.index}`;
  for (const [value, said] of Object.entries(company.choices)) html(who, "option", { value }, said);
  who.value = company.sitters[seat.index];
  who.onchange = () => act("seat", { seat: seat.index, who: who.value, rev });
  if (company.sitters[seat.index] !== "person" || (world.state.assist[seat.index] ?? 2) < 3) return;
  const graded = html(row, "select", { "aria-label": t("Graded pieces for {seat}", { seat: seat.label }) });
  graded.dataset.key = `graded ${seat.index}`;
  html(graded, "option", { value: 0 }, t("Grades: all pieces"));
  for (let most = 1; most <= 6; most += 1) {
    html(graded, "option", { value: most }, t("Grades: {n} a turn", { n: most }));
  }
  graded.value = company.graded[seat.index];
  graded.onchange = () => act("graded", { seat: seat.index, most: Number(graded.value), rev });
}

// Whether hands make the machine's moves; shown where a machine plays.
export function showHands(state, act) {
  const box = document.getElementById("machine-hands");
  const hands = state.company?.hands ?? null;
  const machine = hands !== null && state.company.sitters.some((who) => who !== "person");
  box.closest("label").hidden = !machine;
  box.checked = Boolean(hands);
  box.onchange = () => act("hands", { on: box.checked, rev: state.rev });
}
