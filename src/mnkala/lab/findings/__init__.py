"""What the data say, in words: every module here is imported when a finding is first asked for."""
