"""A co-processor on a Raspberry Pi Pico, in MicroPython; README.md says how to install it.
`protocol` and `face` are plain Python, too: the reference device and the tests run them unchanged.
"""
