-- +goose Up

-- The expiry of a session becomes an instant as all others are, in place of a Julian day.
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
