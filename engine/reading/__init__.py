"""Reading hands: which legal moves explain what the sensors did.

The method is a beam search. An *observation* is a change of a sensor, or what people say. A
*hypothesis* is a history that may have been played, with the sensor changes that it does not
explain yet. When a piece is put down or taken away, hypotheses are extended by the moves that may
have ended then. Each hypothesis costs what it leaves unexplained, and only the cheapest are kept.
The cheapest one is what was played, unless another is almost as cheap; then people are asked.
"""
