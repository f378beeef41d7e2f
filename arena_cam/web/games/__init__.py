"""Pages of one game alone: a folder a game, named as in `rules/games/`, with its templates beside its words.

Belongs here: scoreboard, desk and phone parts, drawings and sentences of one game. Does not: pages, streams, history.
A template of a game's folder stands in for the one of the same name in `any_game/` or in `web/templates/`.
"""
