package console

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// maxViews is the number of organisations that an operator can view in an hour.
const maxViews = 100

// viewsTimeout limits one access to the counters.
const viewsTimeout = 5 * time.Second

// countView counts a view of an organisation. It returns RateLimited, and logs an error, if the operator has viewed
// maxViews other organisations in the last hour. Further views of an organisation within an hour are not counted.
func (c *Console) countView(ctx context.Context, organisationID string) error {
	if c.Views == nil {
		return nil
	}
	operator := operators.FromContext(ctx).Name
	organisation := ratelimit.Try{
		Key:   viewKey("operator's view of an organisation", operator, organisationID),
		Limit: ratelimit.Limit{Burst: 1, Period: time.Hour},
	}
	all := ratelimit.Try{
		Key: viewKey("operator's views", operator), Limit: ratelimit.Limit{Burst: maxViews, Period: time.Hour},
	}
	ctx, cancel := context.WithTimeout(ctx, viewsTimeout)
	defer cancel()
	now := c.Clock.Now()
	wait, err := c.Views.Take(ctx, now, organisation, all)
	if err != nil || wait == 0 {
		return err
	}
	if isViewed, err := c.Views.Take(ctx, now, organisation); err != nil || isViewed > 0 {
		return err
	}
	if err := c.Views.GiveBack(ctx, now, organisation); err != nil {
		return err
	}
	c.Log.ErrorContext(ctx, "operator views too many organisations", "operator", operator)
	limit := fault.Newf(fault.RateLimited, "You have viewed %d organisations in an hour. Try again later.", maxViews)
	limit.RetryAfter = wait
	return limit
}

// viewKey returns the key of a counter. The key contains a hash, which limits its length.
func viewKey(parts ...string) string {
	hash := sha256.New()
	for _, part := range parts {
		_, _ = hash.Write([]byte(part + "\x00"))
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil))
}
