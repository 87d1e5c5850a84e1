"""One board in play: polls its sensors, feeds the session, lights the scene."""
