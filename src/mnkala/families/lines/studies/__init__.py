"""Studies of (m,n,k)-games: reports 001 and 004."""
