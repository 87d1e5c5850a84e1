"""Games by simulated hands on faulty wires: what goes on the record, and what is reported."""
