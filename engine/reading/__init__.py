"""Reading hands: which legal moves explain what the sensors did.

The method is a beam search. An *observation* is a change of a sensor, with its time. A *hypothesis*
is a line of play that may have been made, with what the sensors did that it does not explain yet.
Wherever a piece comes to stand, or is taken away, hypotheses are extended by the moves that may
have been finished then; each costs what it leaves unexplained, and only the cheapest are kept. The
cheapest of all is what was played, if no other comes near it; if one does, people are asked.
"""
