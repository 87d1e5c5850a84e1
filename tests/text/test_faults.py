"""Every fault of the hardware has a sentence."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from firmware_host.i18n.messages import render
from firmware_host.session.pending_actions import ActionKind
from firmware_host.text.after_move import _ACTIONS
from firmware_host.text.faults import breakage_message, fault_message
from hardware.sensing import Fault, Kind, PortFault
from hardware.simulated.board import Breakage

KINDS = [kind for part in (*get_args(Kind), PortFault) for kind in get_args(part)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", [0x20, "/dev/ttyACM0", None])
@pytest.mark.parametrize("holder", ["", "dtoverlay=w1-gpio", "another"])
def test_every_kind_of_fault_has_a_sentence(
    kind: Kind, address: int | str | None, holder: str
) -> None:
    fault = Fault(kind, address, "", ("c3", "c4"), holder=holder)
    said = render(fault_message(fault, {"c3": "C3"}))
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize("kind", get_args(get_type_hints(Breakage)["kind"]))
def test_everything_that_is_broken_on_purpose_has_a_sentence(kind: str) -> None:
    said = render(breakage_message(Breakage(kind, "c3"), {}))  # type: ignore[arg-type]
    assert said.endswith(".")
    assert "{" not in said


def test_every_pending_action_has_a_sentence() -> None:
    assert _ACTIONS.keys() | {ActionKind.PUT_AWAY} == set(ActionKind)
