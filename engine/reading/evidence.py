"""Evidence: every number that the reading of hands was tuned by, in one table.

A hypothesis pays for whatever the sensors did that it does not explain. Costs add up and are
compared with each other only, like negative log likelihoods (1.0 is about e to one against). Those
whose sentence begins with … replace, or come on top of, the one before. `tools.fit_evidence`
tries other values on games that no table counts.
"""

from typing import Final

# ---- what a ply leaves unexplained, as a cost

MISSED: Final = 3.0  # a piece must have been lifted or put down, and no sensor saw it
TOO_QUICK: Final = 1.2  # … but the captive lies in his tray, or the other player went on
HIDDEN: Final = 1.0  # it went where no sensor is believed
TOO_SOON: Final = 0.3  # it came down before its own place was seen to be empty
HURRIED: Final = 0.8  # the piece of the last ply is moved on within a second
RUSHED: Final = 0.6  # it came from where nothing tells, within a second after the last ply
TAKEN_BACK: Final = 0.3  # a ply was taken back
TAKEN_BACK_TOO: Final = 0.15  # … after the one that came after it
STOOD_BY: Final = 0.6  # … with one that people had said

# ---- what was touched for nothing, as a cost

NUDGED: Final = 0.35  # a bystander was lifted and put back
HOVERED: Final = 0.1  # an empty cell was passed
RESTING: Final = 0.15  # … and a piece stood there, for each second
RESTED: Final = 1.5  # … but no more than so many
LEFT_OPEN: Final = 0.6  # a piece is away from where he belongs while two plies are made
OWED: Final = 0.08  # a place was touched, and nothing explains it yet
OFF: Final = 0.3  # a place is not as a hypothesis leaves it: what it will cost at least

# ---- what is off at this moment, as a cost

IN_HAND: Final = 0.15  # the next player has lifted a piece
UNDERWAY: Final = 0.5  # a hand is doing something, on a cell or in a tray
STRAY: Final = 3.0  # a place reads what nothing explains
WAITING: Final = 0.4  # a piece is off, and nothing has changed since, for each second
WAITED: Final = 1.2  # … but no more than so many
STANDING: Final = 0.4  # something is off each time that all pieces stand still

# ---- what trays tell, as a cost

TRAY_WRONG: Final = 1.5  # it holds one more or less than it can
TRAY_UNTOUCHED: Final = 1.0  # a piece was dropped, and no tray had changed
TRAY_OPEN: Final = 0.5  # it holds too many or too few while another ply is made, for each piece
TRAY_LATE: Final = 0.3  # a piece that was captured has not reached it yet, or reached it late

# ---- what dice tell, as a cost

OVERDUE: Final = 1.5  # they fell for the next ply already

# ---- what is made of the costs

MARGIN: Final = 0.25  # hypotheses that differ by less cannot be told apart
NEAR: Final = 0.6  # … nor those that people are asked about, or may choose from
BELIEVED: Final = 3.0  # what costs so much more than the best may be chosen, not read
FOR_EACH: Final = 0.3  # what hands leave unexplained anyway, for each ply after the first
QUESTIONABLE: Final = 0.8  # what costs more may be due to a sensor that fails
ODD: Final = 1.5  # … it must stand longer
INCREDIBLE: Final = 2.0  # … it is not read before long, or another ply follows
HOPELESS: Final = 3.2  # hypotheses that cost so much more than the best are given up
WORTH_A_LOOK: Final = 1.5  # those that cost more are not what is to be seen now

# ---- seconds

STAYED: Final = 0.026  # a piece stays at least where he is put down: two looks of a slow board
ROCKED: Final = 0.038  # who rocks for so long was put down, even if he is taken off at once
BURST: Final = 0.085  # between two puts of a piece that rocks or rolls
SLACK: Final = 0.06  # by which two sensors may disagree on what came first
AT_ONCE: Final = 0.02  # by which one look may see a piece come that the next sees gone
OVERLAP: Final = 0.4  # by which the hands of two players may overlap
SEEN_BY_BOTH: Final = 3.0  # a piece that is slid is seen by two sensors for no longer
LONG_BEFORE: Final = 2.0  # what has stood for longer is no part of what a hand does now
SEALED: Final = 0.12  # after which nothing more is learnt about a piece that was put down
REMEMBERED: Final = 15.0  # for which observations are remembered while all pieces stand still

# ---- bounds: memory and work are no more than these allow

WIDTH: Final = 64  # hypotheses alive at any time
CROWD: Final = 4  # times as many are weighed at once
TWINS: Final = 6  # … of which so many may come to the same end
BEHIND: Final = 4  # plies of which fewer may have been made than by the best
AT_WORK: Final = 16  # sensors that change within a moment while hands are at work
LIFTED_AT_ONCE: Final = 2  # pieces whose absence is not explained yet: more tell no more
GIVEN_OF_LATE: Final = 6  # plies of which a piece may still be on his way to a tray
LINES_KEPT: Final = 48  # hypotheses that people may be asked about
OTHERS: Final = 4  # other ways that are offered where the record is said to be wrong
TO_BE_TOLD: Final = 8  # so many are too many to wait for what the next ply tells
STEPS_KEPT: Final = 8  # plies back for which what could have been played is remembered
EDGES_KEPT: Final = 800  # observations
SPANS_KEPT: Final = 256  # spans of time of which it is remembered where anything changed
ANSWERS_KEPT: Final = 256  # what is asked again and again
UNSEEN_PLIES: Final = 3  # that are looked for where nobody has looked at the board
UNSEEN_STEPS: Final = 4000  # … of all lines together
UNSEEN_LINES: Final = 16  # … that people are asked about
