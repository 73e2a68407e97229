"""From scores to words: what moves are worth, why they are good or bad, and the sentences for it in three languages."""
