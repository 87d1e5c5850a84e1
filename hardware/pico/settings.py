"""The kind of this co-processor, and its wiring: the one file to change."""

KIND = "board"  # or "die", "clock" or "display"
NAME = "my board"  # the first 32 bytes of it are sent

# A board: a matrix of switches, each with a diode; place number = row x columns + column, in the
# order of the layout's `places`. Rows are driven, columns are read, by the numbers of GPx.
ROWS = (0, 1, 2, 3, 4, 5, 6, 7, 8)
COLUMNS = (9, 10, 11, 12, 13, 14, 15, 16, 17)

# A die: a button to ground, and how many dice of how many sides it throws.
BUTTON = 0
DICE = 1
SIDES = 6

# A clock: a button to ground for each side, and the time that each has.
BUTTONS = (0, 1)
MINUTES = 10

# A display: for each side the pins CLK and DIO of a module with four digits and a TM1637.
PANELS = ((0, 1), (2, 3))
