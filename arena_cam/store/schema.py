"""The database's tables, as the steps that made them: a file of version n has had the first n steps.

Append a step for every change; never edit one that was released. What was said is never changed or taken away: triggers
keep the log append-only, except while a whole game is being deleted.
"""

from __future__ import annotations

# "ACam" in ASCII: tells our files from any other program's (PRAGMA application_id).
APPLICATION_ID = 0x4143616D

STEPS: tuple[str, ...] = (
    """
    CREATE TABLE games (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        game TEXT NOT NULL,
        header TEXT NOT NULL,               -- the record's first line, JSON
        started REAL NOT NULL,              -- seconds since 1970, as every time in this file
        ended REAL,
        summary TEXT NOT NULL DEFAULT '{}', -- what lists show of the game, JSON; folded anew with every line
        memory TEXT NOT NULL DEFAULT '{}',  -- what the match knows of the table beyond the record, JSON
        deleting INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE lines (
        game TEXT NOT NULL REFERENCES games(id),
        line INTEGER NOT NULL,              -- as in the game record: the header is line 1
        at REAL NOT NULL,
        who TEXT NOT NULL,                  -- 'camera', 'clock', or who asked for it
        event TEXT NOT NULL,                -- JSON
        rulings TEXT NOT NULL,              -- what the rules said when it was appended, JSON list
        throw TEXT,                         -- the evidence
        PRIMARY KEY (game, line)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE throws (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL REFERENCES games(id),
        at REAL NOT NULL,
        bytes INTEGER NOT NULL,
        about TEXT NOT NULL                 -- what lists show of the throw, JSON
    ) STRICT;
    CREATE INDEX throws_of_game ON throws (game, at);
    CREATE TABLE questions (
        game TEXT NOT NULL REFERENCES games(id),
        id TEXT NOT NULL,
        asked REAL NOT NULL,
        question TEXT NOT NULL,             -- JSON
        answer TEXT,                        -- JSON; null while it is open
        PRIMARY KEY (game, id)
    ) STRICT;
    CREATE TABLE choices (                  -- of a duel, until both are in; then they become an event and leave
        game TEXT NOT NULL REFERENCES games(id),
        player TEXT NOT NULL,
        choice TEXT NOT NULL,
        PRIMARY KEY (game, player)
    ) STRICT;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TRIGGER lines_stay BEFORE UPDATE ON lines
        BEGIN SELECT RAISE(ABORT, 'a line of a record is never changed'); END;
    CREATE TRIGGER lines_remain BEFORE DELETE ON lines
        WHEN (SELECT deleting FROM games WHERE id = OLD.game) = 0
        BEGIN SELECT RAISE(ABORT, 'a line of a record is never taken away'); END;
    """,
    """
    ALTER TABLE throws ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0; -- disputed: never removed to make room
    ALTER TABLE throws ADD COLUMN removed REAL;                      -- when its pictures were removed to make room
    """,
    """
    CREATE TABLE results (                  -- of games that are over: what follows from their records, kept to be quick
        game TEXT NOT NULL REFERENCES games(id),
        player TEXT NOT NULL,
        kind TEXT NOT NULL,                 -- games.game
        started REAL NOT NULL,              -- games.started
        points REAL NOT NULL,
        place INTEGER NOT NULL,             -- 1 for the winners
        players INTEGER NOT NULL,
        figures TEXT NOT NULL,              -- JSON
        lines INTEGER NOT NULL,             -- how many lines of the record it follows from
        PRIMARY KEY (game, player)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX results_of_player ON results (player, kind, started);
    CREATE INDEX games_by_time ON games (started, id);
    """,
    """
    CREATE TABLE transactions (count INTEGER NOT NULL) STRICT; -- how many there were; beside the file stands how many
    INSERT INTO transactions VALUES (0);                       -- were acknowledged, so that a lost log is noticed
    """,
    """
    CREATE TABLE tokens (                   -- of programs that may do what a referee may
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        hash TEXT NOT NULL UNIQUE,          -- SHA-256 of the token; the token itself is kept nowhere
        scopes TEXT NOT NULL,               -- JSON list
        made REAL NOT NULL,
        used REAL                           -- when it last opened something, to the minute
    ) STRICT;
    CREATE TABLE receivers (                -- programs that are told what happens
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,                 -- 'webhook' or 'mqtt'
        about TEXT NOT NULL,                -- where it is and its secret, JSON
        made REAL NOT NULL
    ) STRICT;
    CREATE TABLE deliveries (               -- what a receiver has not been told yet, in order
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        receiver TEXT NOT NULL,
        kind TEXT NOT NULL,
        game TEXT NOT NULL,
        item TEXT NOT NULL,                 -- which line or question of the game
        at REAL NOT NULL
    ) STRICT;
    CREATE INDEX deliveries_of_receiver ON deliveries (receiver, id);
    CREATE TRIGGER tell_lines AFTER INSERT ON lines BEGIN
        INSERT INTO deliveries (receiver, kind, game, item, at)
            SELECT id, 'line.added', NEW.game, NEW.line, NEW.at FROM receivers;
    END;
    CREATE TRIGGER tell_questions AFTER INSERT ON questions BEGIN
        INSERT INTO deliveries (receiver, kind, game, item, at)
            SELECT id, 'question.asked', NEW.game, NEW.id, NEW.asked FROM receivers;
    END;
    CREATE TRIGGER tell_beginnings AFTER INSERT ON games BEGIN
        INSERT INTO deliveries (receiver, kind, game, item, at)
            SELECT id, 'game.started', NEW.id, '', NEW.started FROM receivers;
    END;
    CREATE TRIGGER tell_ends AFTER UPDATE OF summary, ended ON games
        WHEN (NEW.ended IS NOT NULL OR coalesce(json_extract(NEW.summary, '$.over'), 0))
            AND NOT (OLD.ended IS NOT NULL OR coalesce(json_extract(OLD.summary, '$.over'), 0))
    BEGIN
        INSERT INTO deliveries (receiver, kind, game, item, at)
            SELECT id, 'game.ended', NEW.id, '', coalesce(NEW.ended, (julianday('now') - 2440587.5) * 86400.0)
            FROM receivers;
    END;
    CREATE TRIGGER tell_no_more AFTER DELETE ON games BEGIN
        DELETE FROM deliveries WHERE game = OLD.id;
    END;
    CREATE TRIGGER receiver_gone AFTER DELETE ON receivers BEGIN
        DELETE FROM deliveries WHERE receiver = OLD.id;
    END;
    """,
    """
    CREATE TABLE touched (                  -- when a game last changed: what follows from it is computed anew
        game TEXT PRIMARY KEY,              -- which may have been deleted since
        at INTEGER NOT NULL                 -- transactions.count before the change
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX touched_since ON touched (at);
    DROP INDEX games_by_time;
    CREATE INDEX games_shown ON games (started, id) WHERE deleting = 0;
    CREATE TRIGGER touch_lines AFTER INSERT ON lines BEGIN
        INSERT OR REPLACE INTO touched SELECT NEW.game, count FROM transactions;
    END;
    CREATE TRIGGER touch_summaries AFTER UPDATE OF summary ON games WHEN NEW.summary <> OLD.summary BEGIN
        INSERT OR REPLACE INTO touched SELECT NEW.id, count FROM transactions;
    END;
    CREATE TRIGGER touch_deleted AFTER DELETE ON games BEGIN
        INSERT OR REPLACE INTO touched SELECT OLD.id, count FROM transactions;
    END;
    """,
)
