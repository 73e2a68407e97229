"""Programs of others as engines: `gomocup:/path/to/brain` plays wherever an engine string does.

`process.py` is a process that is spoken with in lines, `gomocup_talk.py` the manager's side of the protocol, `gomocup.py` the search that
the rest of the package sees. A program runs with the rights of whoever started mnkala, so only what that person typed may name one:
`parse_engine(text, programs=True)`. What comes by a record, a saved game or the network names it in vain.
"""
