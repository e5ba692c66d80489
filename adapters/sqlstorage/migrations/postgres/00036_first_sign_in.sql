-- +goose Up

-- The time of the user's first sign-in, NULL before it. Existing users that are verified count as having signed in,
-- so that they are notified of sign-ins from unknown browsers.
ALTER TABLE users ADD COLUMN first_sign_in_at timestamptz;
UPDATE users SET first_sign_in_at = verified_at WHERE verified_at IS NOT NULL;
