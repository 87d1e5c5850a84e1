"""The page asks systemd to switch the computer off, by a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from firmware_host.controller.power_off import POWER_OFF_FILE, PowerSwitch
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.server import LOOPBACK, create_app
from tests.web.stub_host import HOME, Page


def test_only_a_service_has_a_switch(tmp_path: Path) -> None:
    assert PowerSwitch.of_service({}) is None
    assert PowerSwitch.of_service({"RUNTIME_DIRECTORY": "relative"}) is None
    switch = PowerSwitch.of_service({"RUNTIME_DIRECTORY": str(tmp_path)})
    assert switch is not None
    switch.switch_off()
    switch.switch_off()  # asking twice is no error
    assert [path.name for path in tmp_path.iterdir()] == [POWER_OFF_FILE]


@pytest.mark.parametrize("served", [True, False])
def test_the_page_may_switch_off_what_a_service_runs(tmp_path: Path, served: bool) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    host = SimulatedHost(tmp_path / "state")
    host.open(Start("robot-duel"))
    if served:
        host.builders.power = PowerSwitch(runtime)
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws") as session,
    ):
        page = Page(session)
        refused = page.answer("off", rev=0)
    assert (runtime / POWER_OFF_FILE).exists() is served
    assert ("cannot switch" in refused) is not served
    host.close()


def test_a_directory_that_is_gone_is_said(tmp_path: Path) -> None:
    host = SimulatedHost(tmp_path)
    host.open(Start("robot-duel"))
    host.builders.power = PowerSwitch(tmp_path / "nowhere")
    with pytest.raises(OSError, match="No such file"):
        host.builders.power.switch_off()
    host.close()
