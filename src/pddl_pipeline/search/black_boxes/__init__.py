"""Search over two functions, `succ` and `isgoal`, on states of plain Python data.

This is the "black box" of AutoToS (Cao et al. 2024, section 3): a domain is known only by the
successors of a state, and by whether a state is a goal.
"""
