"""Messages in four languages."""
