-- +goose Up

-- When the payment provider is asked about an organisation's subscription without having told of
-- anything. Those that are there already are asked about when their period ends, or at once.
ALTER TABLE organisations ADD COLUMN check_at TIMESTAMP;

UPDATE organisations SET check_at = (
    SELECT MIN(CASE WHEN s.status IN ('active', 'trialing') THEN COALESCE(s.current_period_end, s.created_at) ELSE s.created_at END)
    FROM subscriptions s
    WHERE s.organisation_id = organisations.id AND s.status NOT IN ('canceled', 'incomplete_expired')
) WHERE customer_id IS NOT NULL;

CREATE INDEX organisations_by_check ON organisations (check_at, id) WHERE check_at IS NOT NULL;
