"""The families of games that come with mnkala. Each registers itself by the entry point `mnkala.games`, as a user's does, and no
layer from `arena` down imports one."""
