-- +goose Up

-- The time at which the organisation's subscriptions are read from the payment provider even if no event
-- arrives. For existing organisations it is the end of the period, or now.
ALTER TABLE organisations ADD COLUMN check_at timestamptz;

UPDATE organisations SET check_at = (
    SELECT MIN(CASE WHEN s.status IN ('active', 'trialing') THEN COALESCE(s.current_period_end, s.created_at) ELSE s.created_at END)
    FROM subscriptions s
    WHERE s.organisation_id = organisations.id AND s.status NOT IN ('canceled', 'incomplete_expired')
) WHERE customer_id IS NOT NULL;

CREATE INDEX organisations_by_check ON organisations (check_at, id) WHERE check_at IS NOT NULL;
