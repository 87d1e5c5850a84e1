"""The netlist as a file that KiCad's board editor imports (File → Import → Netlist)."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.wiring.netlist import Netlist
from hardware.wiring.packages import designators, package, pin_number


def kicad_netlist(circuit: Netlist, name: str) -> str:
    """Return the circuit as a KiCad netlist (s-expressions, version E): every part with its
    designator, value and footprint, every net with the numbers of its pins. What belongs to the
    Pi is left out. A field `Name` has the name that the part has in Lampion.
    """
    parts = [part for part in circuit.parts.values() if part.bought]
    named = designators(parts)
    lines = ["(export (version E)", f"  (design (source {_text(name)}) (tool lampion))"]
    lines.append("  (components")
    for part in parts:
        value = part.value or part.label or part.kind
        if part.kind in ("MCP23017", "ADS7830", "CD74HC4067", "74AHCT125", "DRV5055A2"):
            value = part.kind
        lines.append(
            f"    (comp (ref {_text(named[part.name])}) (value {_text(value)}) "
            f"(footprint {_text(package(part).footprint)}) "
            f"(fields (field (name Name) {_text(part.name)})))"
        )
    lines += ["  )", "  (nets"]
    for code, (net, nodes) in enumerate(_nets(circuit, named), 1):
        lines.append(f"    (net (code {_text(str(code))}) (name {_text(net)})")
        lines += [f"      (node (ref {_text(ref)}) (pin {_text(pin)}))" for ref, pin in nodes]
        lines.append("    )")
    return "\n".join([*lines, "  )", ")"]) + "\n"


def _nets(circuit: Netlist, named: dict[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    for net, ends in circuit.nets.items():
        yield (
            net,
            [
                (named[part], str(pin_number(circuit.parts[part], pin)))
                for part, pin in ends
                if part in named
            ],
        )


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
