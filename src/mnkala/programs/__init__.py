"""Programs of others as engines: `gomocup:/path/to/brain` plays wherever an engine string does.

`process.py` is a process that is spoken with in lines, `engine.py` the base of the searches that ask one. Programs that play the games of
one family alone lie with the family (`Family.register_programs`); here are those of any game. A program runs with the rights of whoever
started mnkala, so only what that person typed may name one: `parse_engine(text, programs=True)`. What comes by a record, a saved game or
the network names it in vain.
"""
