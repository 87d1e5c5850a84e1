"""A board of unknown wiring, as a layout: each input is a cell, each light an edge."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from types import MappingProxyType

from drivers import cd74hc4067, mcp23017
from firmware_host.doctor.magnet_walk import Pin
from hardware.layout import BoardPlace, Expander, Layout, Multiplexer
from hardware.wiring.netlist import multiplexer_name


def raw(layout: Layout, answering: Collection[int]) -> Layout:
    """Return a layout in which each input that could have a sensor is a cell named by `name_of`,
    and each LED an edge named by `light`. It has all expanders that answer, at any address.
    """
    expanders: tuple[Expander, ...]
    if layout.sensing == "presence":
        expanders = tuple(
            Expander(
                address,
                MappingProxyType({pin: name_of((f"{address:#04x}", pin)) for pin in pins}),
            )
            for address in mcp23017.ADDRESSES
            if address in answering and (pins := tuple(_free(layout, address)))
        )
    else:
        expanders = tuple(replace(chip, sensors={}) for chip in layout.expanders)
    multiplexers = tuple(
        Multiplexer(
            chip.adc,
            chip.channel,
            tuple(name_of((multiplexer_name(number), pin)) for pin in range(cd74hc4067.INPUTS)),
        )
        for number, chip in enumerate(layout.multiplexers)
    )
    serial = tuple(
        replace(
            device,
            places=tuple(name_of((device.port, number)) for number in range(len(device.places))),
        )
        for device in layout.serial
    )
    names = [name for chip in expanders for name in chip.sensors.values()]
    names += [name for chip in multiplexers for name in chip.inputs]
    names += [name for device in serial for name in device.places]
    places = {name: BoardPlace(name, "cell", 0.0, 0.0, (), 1.0, (name,)) for name in names}
    for pixel in range(len(layout.led_positions)):
        places[light(pixel)] = BoardPlace(light(pixel), "edge", 0.0, 0.0, (pixel,), 1.0, ())
    return replace(
        layout,
        places=MappingProxyType(places),
        expanders=expanders,
        multiplexers=multiplexers,
        serial=serial,
        games=MappingProxyType({}),
    )


def name_of(pin: Pin) -> str:
    """Return the name of an input in a raw layout."""
    return f"{pin[0]} {pin[1]}"


def pin_of(name: str) -> Pin:
    """Return the input that has this name in a raw layout."""
    chip, _, number = name.rpartition(" ")
    return chip, int(number)


def light(pixel: int) -> str:
    """Return the name of an LED in a raw layout."""
    return f"light {pixel}"


def _free(layout: Layout, address: int) -> Iterator[int]:
    """Yield the inputs of an expander that have neither a button nor a switch of a stick die."""
    taken = {switch.pin for switch in layout.switches if switch.expander == address}
    for pin in range(16):
        if pin not in taken and not mcp23017.NO_INPUT >> pin & 1:
            yield pin
