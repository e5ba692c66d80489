-- +goose Up

CREATE TABLE password_resets (
    token_hash text        COLLATE "C" NOT NULL PRIMARY KEY,
    user_id    text        COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);

CREATE INDEX password_resets_of_user ON password_resets (user_id);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);

-- The user of the session, so that all sessions of a user can be deleted. NULL in rows that an older server
-- stored, and in those without a signed-in user.
ALTER TABLE sessions ADD COLUMN user_id text COLLATE "C";

CREATE INDEX sessions_of_user ON sessions (user_id);
