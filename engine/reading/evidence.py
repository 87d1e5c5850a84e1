"""Evidence: every tuned number of the reading of hands, in one table.

A hypothesis pays for every sensor change that it does not explain. Costs add up and are only
compared with each other, like negative log likelihoods (1.0 is about e to one against). A cost
whose comment begins with … replaces the one before or adds to it. `tools.fit_evidence` tries other
values on games outside the benchmarks.
"""

from typing import Final

# ---- what a ply leaves unexplained, as a cost

MISSED: Final = 3.0  # a piece must have been lifted or put down, and no sensor saw it
TOO_QUICK: Final = 1.2  # … but the captured piece is in its tray, or the other player went on
HIDDEN: Final = 1.0  # it went where all sensors are masked
OUT_OF_ORDER: Final = 0.3  # a sensor changed sooner or later than the one before or after it
HURRIED: Final = 0.8  # the piece of the last ply moves on at once
RUSHED: Final = 0.6  # it came from an unsensed place at once after the last ply
TAKEN_BACK: Final = 0.3  # a ply was taken back
TAKEN_BACK_TOO: Final = 0.15  # … after the ply that followed it

# ---- touches without effect, as a cost

NUDGED: Final = 0.35  # a bystander was lifted and put back
HOVERED: Final = 0.1  # a hand passed an empty cell
RESTING: Final = 0.15  # … and a piece stood there, per second
RESTED: Final = 1.5  # … at most this much
LEFT_OPEN: Final = 0.6  # a piece is away from its place during two plies
UNEXPLAINED: Final = 0.08  # a touched place that nothing explains yet
OFF: Final = 0.3  # lower bound for a place that differs from the hypothesis

# ---- current differences, as a cost

IN_HAND: Final = 0.15  # the next player has lifted a piece
UNDERWAY: Final = 0.5  # a hand is at work on a cell or in a tray
STRAY: Final = 3.0  # a place has a reading that nothing explains
WAITING: Final = 0.4  # a piece is out of place and nothing changes, per second
WAITED: Final = 1.2  # … at most this much
STANDING: Final = 0.4  # something is out of place each time that all pieces rest

# ---- trays, as a cost

TRAY_WRONG: Final = 1.5  # it holds one more or less than it can
TRAY_UNTOUCHED: Final = 1.0  # a piece was dropped without a change of its tray
TRAY_OPEN: Final = 0.5  # too many or too few in it while another ply is made, per piece

# ---- dice, as a cost

OVERDUE: Final = 1.5  # the throw belongs to the next ply already

# ---- what people say, as a cost

UNNAMED: Final = 2.0  # people named another move, or said that another turn is over
UNSHOWN: Final = 0.35  # the turn that is over was a move that no sensor shows
UNLIKELY: Final = (
    0.6  # they named the last move and it was made again, or took back what they named
)

# ---- decisions by costs

MARGIN: Final = 0.25  # hypotheses that differ by less are ambiguous
NEAR: Final = 0.6  # … also for those that people are asked about or may choose
BELIEVED: Final = 3.0  # at this much more than the best, people may choose it, but it is not read
FOR_EACH: Final = 0.3  # what hands leave unexplained anyway, per ply after the first
QUESTIONABLE: Final = 0.8  # above this a failing sensor may be the cause
ODD: Final = 1.5  # … the reading must stand longer
INCREDIBLE: Final = 2.0  # … it is not read for long, unless another ply follows
HOPELESS: Final = 3.2  # hypotheses this much above the best are dropped
FERTILE: Final = 2.2  # … those above by more are kept, but not extended
LOOK_MARGIN: Final = 1.5  # hypotheses above the best by more do not matter now

# ---- seconds

STAYED: Final = 0.026  # the shortest stay of a piece that was put down: two scans of a slow board
ROCKED: Final = 0.038  # a piece that rocks this long was put down, even if it leaves at once
BURST: Final = 0.085  # the longest gap between two edges of a rocking piece
SLACK: Final = 0.06  # the tolerance for the order of edges of two sensors
AT_ONCE: Final = 0.02  # the tolerance between two scans
OVERLAP: Final = 0.4  # the longest overlap of two players' hands
SEEN_BY_BOTH: Final = 3.0  # the longest time that two sensors see a sliding piece
LONG_BEFORE: Final = 2.0  # a piece that stood longer is no part of the current movement
SEALED: Final = 0.12  # after this there is no more evidence about a placement
SOON: Final = 1.0  # the costs HURRIED and RUSHED fall to 0 within this time
CHATTERED: Final = 1.0  # a piece that began to rock earlier rocks no more
REMEMBERED: Final = 15.0  # how long observations are kept while all pieces rest

# ---- bounds on memory and work

WIDTH: Final = 64  # the most hypotheses
CROWD: Final = 4  # … times as many are weighed at once
TWINS: Final = 6  # … of which this many may have the same end
AT_WORK: Final = 16  # the most sensors that hands change in a moment
LIFTED_AT_ONCE: Final = 2  # unexplained lifts that count; a move of several leaves no more
LATE_PLIES: Final = 4  # the last plies that people may still name, or that may still be given up
GIVEN_OF_LATE: Final = 6  # the last plies whose captured piece may still be on its way to a tray
LINES_KEPT: Final = 48  # the most histories in a question
OTHERS: Final = 4  # the most alternatives offered when people say that the record is wrong
MOST_DISTINGUISHED: Final = 8  # with this many histories the next ply is not awaited
DISTINGUISHED: Final = 0.25  # … and of the moves after each, more must leave traces of their own
STEPS_KEPT: Final = 8  # the last plies whose possible moves stay cached
EDGES_KEPT: Final = 800  # the most observations
ANSWERS_KEPT: Final = 256  # the most cached answers
UNSEEN_PLIES: Final = 3  # the most unseen plies that are searched
UNSEEN_STEPS: Final = 4000  # … steps of that search
