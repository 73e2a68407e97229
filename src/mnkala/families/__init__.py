"""The families of games that come with mnkala. Each registers itself by the entry point `mnkala.games`, as a user's does; nothing
outside imports them."""
