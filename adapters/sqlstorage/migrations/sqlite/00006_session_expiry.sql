-- +goose Up

-- Converts the expiry of sessions from a Julian day to a timestamp.
CREATE TABLE sessions_by_instant (
    token  TEXT      NOT NULL PRIMARY KEY,
    data   BLOB      NOT NULL,
    expiry TIMESTAMP NOT NULL
);

INSERT INTO sessions_by_instant (token, data, expiry)
SELECT token, data, strftime('%Y-%m-%d %H:%M:%f+00:00', expiry) FROM sessions;

DROP TABLE sessions;
ALTER TABLE sessions_by_instant RENAME TO sessions;
CREATE INDEX sessions_expiry ON sessions (expiry);
