"""What the data of each study say: its finding in words, and its verdicts on the reports' claims.

They are apart from the measures (`lab/studies`), for rows belong to the code that measured them: mending a sentence must not make them old.
"""
