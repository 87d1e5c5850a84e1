"""Costs: what a line of play may leave unexplained, and how odd that would be.

They are compared, never summed up to a probability. Those that begin with … are on top of, or in
the place of, the one before. Where time matters they are for each second.
"""

MISSED = 3.0  # a man must have been lifted or put down, and was not seen
PLAYED_ON = 1.2  # … but the other player went on as if it had
TOO_QUICK = 1.2  # … but the man that was captured lies in its tray: it was between two looks
CLOSELY = 0.3  # … but it came in a row of men, the one right behind the other
HIDDEN = 1.0  # it went where no sensor is believed
LEAPT = 0.6  # … and the men of its row were not touched
FOLLOWED = 0.3  # … and the next ply shows that it did
TOO_SOON = 0.3  # it came down before its own place was seen to be empty
OUT_OF_ORDER = 0.6  # it stood there before the ply before it was finished
FUSSED = 0.15  # it was put there and lifted again before it stayed, and as much for each second
NUDGED = 0.35  # a bystander was lifted and put back
BLINKED = 0.8  # … for a blink
HOVERED = 0.1  # an empty cell was passed
RESTING = 0.15  # … and a man stood there, for each second
GHOST = 1.2  # … while no other man was missing
ASTIR = 0.15  # men come to stand here and there, and no ply is finished: for each beyond some
LINGERED = 0.1  # it stood on its way, for each second
CARRIED_ON = 0.45  # … or in a hand again when it might have slid, for each second that it stood
PASSED_BY = 0.25  # … for long, and it was carried over another place where it took a man
HELD_LONG = 0.35  # a man that both players may move was in a hand, for each second beyond some
IN_TWO_PARTS = 0.5  # two plies of one player move a row, as it seems, and the other was quick
HURRIED = 0.8  # the other player moves the same man sooner than they reply
TOOK_OVER = 0.05  # … or a little later
TO_AND_FRO = 0.4  # … as the one before had done, too
LEFT_OPEN = 0.6  # a man is away from where it belongs while two plies are made
KEPT_AWAY = 0.5  # … or one, and long after it, for each second, though nobody could move it
STANDING = 0.4  # something is not where it should be, and all men stand still
WENT_ON = 0.1  # … where a ply may have ended, but the hand went on later, for each second
LET_GO = 0.35  # … and it had let go of its man, to take others off or to move them
WAITING = 0.4  # … and nothing has changed since, for each second
EARLY = 0.4  # the next player held it long before the ply was finished
IN_HAND = 0.15  # the next player has lifted a man
TAKEN_FIRST = 0.3  # … not the one that is moved, but one that it may take on its way
TRIED = 0.3  # … and touched a man that it might take
UNDERWAY = 0.5  # a hand is doing something
PARKED = 0.7  # a captured man stands on an empty cell
WENT_HOME = 0.5  # … from which his captor came, who rather went back: for each second
LEFT_HOME = 0.4  # … and went on from there
SEEMS_TRIED = 0.6  # … and reads as he does: who only tries to take one puts both back
LEFT_PARKED = 0.1  # … for each second more than …
TAKEN_OFF = 2.5  # … so many, after which it is mostly taken off
FROM_THERE = 0.3  # … and is dropped from there: who goes on from there rather is a man in play
IN_THE_WAY = 0.3  # … while one more ply is made, when it should long have been taken off
STRAY = 3.0  # a place reads what nothing explains
MIXED_UP = 1.0  # another man stands there, if one man at a time was in the hands
TAKEN_BACK = 0.3  # a ply was taken back
TAKEN_BACK_TOO = 0.15  # … after the one that came after it
STOOD_BY = 0.6  # … that people had named
SILENT = 0.2  # a ply of which nothing can be seen
GONE_BACK = 1.0  # the man that was moved last stood where it came from when the next was moved
WENT_BACK = 1.05  # … where that of the ply before was lifted, or may go, and no tray tells
ONLY_TRIED = 0.5  # … of that, if it was long in a hand, but another may only have been touched
RUSHED = 0.6  # … within a second after the last ply, and no tray tells
SAME_PLACE = 0.7  # a man is put down where the one before, who looks the same, has just stood
TRAY_UNTOUCHED = 1.0  # a man was dropped, and no tray had changed
KEPT_IN_HAND = 0.3  # … for it had never been put there
ON_ITS_WAY = 0.1  # a man that was captured right now has not reached its tray yet
TARRIED = 0.15  # … for each second since, but no more than …
TRAY_LATE = 0.3  # … one that was captured before, or it reached it late
TRAY_AT_WORK = 0.5  # the next player has begun to take a man from it
TRAY_EARLY = 1.5  # it held a captured man before that was lifted
TRAY_OPEN = 0.5  # … while another ply was made, for each man
TRAY_WRONG = 1.5  # it holds one more or less than it can

OWED = 0.08  # a place was touched, and nothing explains it yet
OFF = 0.3  # a place is not as a line leaves it: what it will cost at least, unless it is explained
