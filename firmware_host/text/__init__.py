"""What is said to people, in sentences of their own language."""
