"""Search over two functions, `succ` and `isgoal`, on states of plain Python data.

The "black box" of AutoToS (Cao et al. 2024, section 3): nothing is known of a domain but which
states come after a state, and whether a state is a goal.
"""
