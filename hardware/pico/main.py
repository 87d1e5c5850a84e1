"""The program of a co-processor on a Raspberry Pi Pico; settings.py selects the device."""

import pins
import settings
from face import Face
from protocol import BOARD, CLOCK, DIE, DISPLAY, TICKS, Device


def board(usb):
    """Scan switches and report changes, for ever."""
    matrix = pins.Matrix(settings.ROWS, settings.COLUMNS)
    count = len(settings.ROWS) * len(settings.COLUMNS)
    device = Device(BOARD, count, settings.NAME, usb.send)
    device.read(matrix.read())
    device.introduce()
    while True:
        device.read(matrix.read())
        device.receive(usb.receive())
        device.tick(pins.now())


def die(usb):
    """Throw dice at the press of a button, for ever."""
    button = pins.Button(settings.BUTTON)
    device = Device(DIE, settings.DICE, settings.NAME, usb.send)
    device.introduce()
    while True:
        if button.pressed():
            device.throw([pins.chance(settings.SIDES) for _ in range(settings.DICE)])
        device.receive(usb.receive())
        device.tick(pins.now())


def clock(usb):
    """Run the time of one side until its button is pressed, then the next one's, for ever."""
    buttons = [pins.Button(number) for number in settings.BUTTONS]
    left = [settings.MINUTES * 60000 for _ in buttons]
    device = Device(CLOCK, len(buttons), settings.NAME, usb.send)
    device.clock(0, left)
    device.introduce()
    running, seen = 0, pins.now()
    while True:
        now = pins.now()
        if running:
            left[running - 1] = max(0, left[running - 1] - ((now - seen) & TICKS))
        seen = now
        for side, button in enumerate(buttons, 1):
            if button.pressed() and running in (0, side):
                running = side % len(buttons) + 1
                device.clock(running, left, True)
        device.clock(running, left)
        device.receive(usb.receive())
        device.tick(now)


def display(usb):
    """Show the times that the host sends, for ever."""
    panels = [pins.Panel(*wires) for wires in settings.PANELS]
    face = Face()
    device = Device(
        DISPLAY, len(panels), settings.NAME, usb.send, lambda body: face.show(body, pins.now())
    )
    device.introduce()
    while True:
        now = pins.now()
        device.clock(face.running, face.left(now))
        texts = face.texts(now, len(panels))
        for side, panel in enumerate(panels):
            panel.show(*texts[side])
        device.receive(usb.receive())
        device.tick(now)


{"board": board, "die": die, "clock": clock, "display": display}[settings.KIND](pins.Usb())
