BEGIN TRANSACTION;
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    start TEXT,
    moves TEXT NOT NULL,
    first TEXT NOT NULL,
    second TEXT NOT NULL,
    first_owner TEXT,
    second_owner TEXT,
    invitation TEXT,
    linked INTEGER NOT NULL,
    watchable INTEGER NOT NULL,
    over INTEGER NOT NULL,
    result TEXT NOT NULL,
    played INTEGER NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    more TEXT NOT NULL
);
INSERT INTO "games" VALUES('oOga0mYn6XMt','connect4',NULL,'4435','human','human','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',4,'2026-11-18T21:09:25.752985+00:00','2026-11-18T21:09:25.752985+00:00','{"revision":1,"turn":0,"resigned":null,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('Fpjt-NoXgzKS','kalah',NULL,'36','human','human','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',2,'2026-11-18T21:09:25.757684+00:00','2026-11-18T21:09:25.757684+00:00','{"revision":1,"turn":0,"resigned":null,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":[300.0,2.0,[300.0,300.0]]}');
INSERT INTO "games" VALUES('IaIzPTKhCYQA','connect4',NULL,'444','human','human','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',3,'2026-11-18T21:09:25.761577+00:00','2026-11-18T21:09:25.765801+00:00','{"revision":2,"turn":1,"resigned":null,"out_of_time":false,"undone":[[3]],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('DNWV9EpHTubf','tictactoe',NULL,'b2a1','human','human',NULL,'3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','47e4eb242ccb6928f48e2693a9c290e7b47a0251a1a8eb95c7625d016163197c',1,1,0,'*',2,'2026-11-18T21:09:25.769663+00:00','2026-11-18T21:09:25.769663+00:00','{"revision":1,"turn":0,"resigned":null,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('upkrMB2CWn5d','connect4','......./......./......./......./......./...x...','35','human','human','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,1,'1-0',2,'2026-11-18T21:09:25.773869+00:00','2026-11-18T21:09:25.777166+00:00','{"revision":2,"turn":0,"resigned":1,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('HdCMc_GxzwiX','gomoku',NULL,'h8','medium','human','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',1,'2026-11-18T21:09:25.785752+00:00','2026-11-18T21:09:25.785752+00:00','{"revision":1,"turn":0,"resigned":null,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('LIYZ4-2mG_OO','connect4',NULL,'43','human','random:seed=5','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',2,'2026-11-18T21:09:25.780130+00:00','2026-11-18T21:09:25.794530+00:00','{"revision":2,"turn":1,"resigned":null,"out_of_time":false,"undone":[],"paused":false,"pace":0.6,"rematch":null,"undo_asked":null,"clock":null}');
INSERT INTO "games" VALUES('H8Bc2oqIs7vB','connect4',NULL,'','random:seed=1','easy','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d','3551df5323ccf35171b3cfc0b57df2682083e7617b60e9835eb2854a7500697d',NULL,0,0,0,'*',0,'2026-11-18T21:09:25.795161+00:00','2026-11-18T21:09:25.795161+00:00','{"revision":1,"turn":0,"resigned":null,"out_of_time":false,"undone":[],"paused":true,"pace":1.5,"rematch":null,"undo_asked":null,"clock":null}');
CREATE INDEX games_by_first ON games (first_owner, updated);
CREATE INDEX games_by_second ON games (second_owner, updated);
CREATE INDEX games_by_time ON games (updated);
COMMIT;
PRAGMA user_version=1;
