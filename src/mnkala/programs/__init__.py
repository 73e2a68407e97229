"""External programs as engines: `gomocup:/path/to/brain` works wherever an engine string does.

`process.py` runs a process that communicates in lines and has the base of the searches that ask
one. Programs that play the games of a single family belong to that family
(`Family.modules`); this package has those for any game. A program runs with the rights of
whoever started mnkala. Therefore only a string that this person typed may name one:
`parse_engine(text, programs=True)`. Strings from records, saved games or the network may not.
"""
