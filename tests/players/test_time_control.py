"""Time controls as text, and what they give each seat."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.players.time_control import TimeControl, time_control

CONTROLS = st.one_of(
    st.builds(TimeControl, st.integers(1, 24 * 3600), st.integers(0, 3600)),
    st.builds(
        TimeControl,
        st.integers(0, 24 * 3600),
        st.just(0),
        st.integers(1, 3600),
        st.integers(1, 99),
    ),
)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", None),
        ("10m", TimeControl(600)),
        ("5m+3s", TimeControl(300, 3)),
        ("10m+30s*3", TimeControl(600, 0, 30, 3)),
        ("30s/move", TimeControl(0, 0, 30, 1)),
        ("30s*5", TimeControl(0, 0, 30, 5)),
        ("1h30m", TimeControl(5400)),
        (" 90S ", TimeControl(90)),
    ],
)
def test_a_control_is_read(text: str, control: TimeControl | None) -> None:
    assert time_control(text) == control


@given(CONTROLS)
def test_a_control_is_read_as_it_is_written(control: TimeControl) -> None:
    assert time_control(control.text) == control


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "write none"),
        ("10", "write none"),
        ("5m+", "write none"),
        ("m", "write none"),
        ("10m+30s*0", "a period must be"),
        ("0s*3", "a period must be"),
        ("0m", "no time"),
        ("0s+5s", "no time"),
        ("25h", "at most 24h"),
        ("5m+2h", "at most 24h"),
        ("2h/move", "at most 24h"),
        ("10m\n", None),
    ],
)
def test_another_text_is_refused_in_one_line(text: str, why: str | None) -> None:
    if why is None:
        assert time_control(text) is not None
        return
    with pytest.raises(ValueError, match=why) as refused:
        time_control(text)
    assert "\n" not in str(refused.value)


def test_little_time_is_more_where_there_is_more_time() -> None:
    found = {text: (time_control(text) or TimeControl(0)).little for text in ("1m", "5m", "1h")}
    assert found == {"1m": 10, "5m": 37, "1h": 60}
    for text in ("10m+30s*3", "30s/move"):
        control = time_control(text)
        assert control is not None
        assert control.little == 10
