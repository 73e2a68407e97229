"""The families of games that come with mnkala. Each registers itself by the entry point
`mnkala.games`, as a user's family does, and no package of the layers above or below imports one."""
