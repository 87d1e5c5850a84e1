"""A co-processor on a Raspberry Pi Pico, in MicroPython; README.md says how to get it there.

`protocol` is plain Python, too: the reference device and the tests run it as it is.
"""
