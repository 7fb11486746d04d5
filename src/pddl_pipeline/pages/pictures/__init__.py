"""Pictures of states as SVG: a file per domain under `domains`, and a general one for all others.

`scene_of` chooses the picture of a task. A picture is drawn from a state alone.
"""
