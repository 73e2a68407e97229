"""What the studies measure: every module here is imported when a measure is first asked for."""
