"""The sensors as the page asks for them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from firmware_host.controller.sensor_log import SensorLog
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.sensors import state
from firmware_host.web.server import LOOPBACK, create_app
from hardware import layout
from hardware.machine import SensorFrame
from tests.support.serial_boards import serial_layout
from tests.web.stub_host import HOME, Page, StubHost


@pytest.fixture
def client(host: StubHost) -> TestClient:
    return TestClient(create_app(host, LOOPBACK), base_url=HOME)


def rows(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["sensor"]: each for chip in found["chips"] for each in chip["inputs"]}


@pytest.mark.parametrize("name", layout.NAMES)
def test_every_sensor_is_there_once_with_its_pin(name: str) -> None:
    host = StubHost(layout.load(name).games and next(iter(layout.load(name).games)), name)
    found = state(host, 0)
    wanted = [sensor for place in host.layout.places.values() for sensor in place.sensors]
    named = [each["sensor"] for chip in found["chips"] for each in chip["inputs"]]
    assert sorted(named) == sorted(wanted)
    assert all(each["raw"] is None for each in rows(found).values()), "no chip has answered"


def test_raw_levels_and_settled_readings_stand_side_by_side(
    client: TestClient, host: StubHost
) -> None:
    host.builders.read = {"A1": 1, "B1": 0}
    host.builders.log.take(SensorFrame(7.49, {"A1": 1}))  # it has not held until 7.5
    found = client.get("/api/sensors").json()
    assert found["chips"][0]["name"] == "MCP23017 0x20"
    assert rows(found)["A1"] == {
        "pin": "GPA0", "sensor": "A1", "place": "A1", "raw": 1, "rest": 0
    }  # fmt: skip
    assert [entry["kind"] for entry in found["log"]] == ["edge"]
    assert client.get(f"/api/sensors?since={found['next']}").json()["log"] == []
    assert client.get("/api/sensors?since=-1;x").json()["next"] == found["next"]


def test_a_place_on_a_co_processor_reads_what_its_frames_say(host: StubHost) -> None:
    host.layout = serial_layout("square-reed")
    host.builders.log.take(SensorFrame(1.0, {"B2": 1}))
    assert rows(state(host, 0))["B2"]["raw"] == 1
    assert rows(state(host, 0))["B2"]["rest"] == 1


def test_the_file_has_all_entries_of_the_log(client: TestClient, host: StubHost) -> None:
    host.builders.log.take(SensorFrame(1.0, {"A1": 1}))
    answer = client.get("/api/sensors/log")
    assert 'filename="square-reed-log.jsonl"' in answer.headers["content-disposition"]
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[0] == {"board": "square-reed", "entries": 2}
    assert [line["kind"] for line in lines[1:]] == ["edge", "rest"]


def test_the_log_is_read_in_the_thread_that_writes_it(
    client: TestClient, host: StubHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = SensorLog.since

    def since(log: SensorLog, number: int, now: float) -> Any:
        asyncio.get_running_loop()  # RuntimeError in any other thread
        return read(log, number, now)

    monkeypatch.setattr(SensorLog, "since", since)
    host.builders.log.take(SensorFrame(1.0, {"A1": 1}))
    assert len(client.get("/api/sensors/log").text.splitlines()) == 3


def test_a_light_is_tested_at_a_place_of_the_board(host: StubHost, page: Page) -> None:
    assert page.answer("light", place="E5", rev=0) == ""
    assert ("light", "E5") in host.posted
    assert "no such place" in page.answer("light", place="Z9", rev=0)


def test_a_light_shines_over_the_scene_and_then_goes(simulated_host: SimulatedHost) -> None:
    host = simulated_host
    controller = host.controller
    (pixel,) = host.layout.places["I9"].pixels
    controller.look(1.0)
    controller.draw(1.0)
    dark = controller.machine.pixels[pixel]
    controller.test_light("I9", 1.0)
    due = controller.draw(1.0)
    assert controller.machine.pixels[pixel] != dark
    assert due is not None
    assert due <= 3.0
    controller.draw(3.0)
    assert controller.machine.pixels[pixel] == dark


def test_a_chip_that_is_pulled_off_has_unknown_levels(simulated_host: SimulatedHost) -> None:
    host = simulated_host
    host.controller.look(1.0)
    host.builders.log.take(host.controller.machine.read(1.0))
    before = rows(state(host, 0))
    assert before["A1"]["raw"] in (0, 1)
    host._simulated.board.unplug(0x20)
    host.builders.log.take(host.controller.machine.read(1.1))
    after = rows(state(host, 0))
    assert after["A1"]["raw"] is None
    assert after["A1"]["rest"] is None
    assert after["C4"]["raw"] == before["C4"]["raw"]


def test_levels_of_hall_sensors_are_their_counts(tmp_path: Any) -> None:
    host = SimulatedHost(tmp_path)
    host.open(Start("shogi", {}, "square-hall"))
    host.controller.look(1.0)
    host.controller.look(1.1)
    levels = host.builders.levels()
    assert len(levels) == 129
    assert 120 < levels["E5"] < 136  # nothing lies there
    assert abs(levels["E1"] - 128) > 20
    assert isinstance(host.builders.log, SensorLog)
    host.close()
