"""The board on an MQTT broker: what it publishes, and the match that it plays with other boards."""
