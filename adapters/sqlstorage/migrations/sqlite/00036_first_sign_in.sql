-- +goose Up

-- When the user signed in for the first time, NULL before that. Users of an earlier version that are verified count as
-- having signed in, so that they are notified of sign-ins from unknown browsers.
ALTER TABLE users ADD COLUMN first_sign_in_at TIMESTAMP;
UPDATE users SET first_sign_in_at = verified_at WHERE verified_at IS NOT NULL;
