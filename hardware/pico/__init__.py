"""A co-processor on a Raspberry Pi Pico, in MicroPython; README.md says how to install it.
`protocol` is plain Python, too: the reference device and the tests run it unchanged.
"""
