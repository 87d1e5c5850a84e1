"""The program inside a browser tab: Python runs in Web Workers, and there is no server."""
