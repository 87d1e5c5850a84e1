"""The program: command line, loop, sessions, lights, journal and the page."""
