"""A session: what happens at a board goes in, with its times; what follows from it comes out."""
