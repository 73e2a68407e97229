"""An engine of ours as an agent of Kaggle's ConnectX. Where mnkala is installed, this file is all
that Kaggle needs:

    kaggle_environments.make("connectx").run(["kaggle_agent.py", "negamax"])

The other way round any such file is a player here: `mnkala play connect4 --first
kaggle:kaggle_agent.py --second human`.
"""

from mnkala.families.connect.kaggle import agent_of

agent = agent_of("perfect")
