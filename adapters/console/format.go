package console

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// functions are those of the templates.
var functions = template.FuncMap{
	"money": func(a money.Amount) string {
		if a == (money.Amount{}) {
			return "–"
		}
		return a.FormatWithSymbolAndCode()
	},
	"age":   func(d time.Duration) string { return d.Truncate(time.Second).String() },
	"words": words,
	"utc":   func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") },
}

// words returns a code such as "past_due" as words.
func words(code any) string { return strings.ReplaceAll(fmt.Sprint(code), "_", " ") }

// badge is a short state with its colour: "ok", "brand", "note", "bad" or "plain".
type badge struct{ Kind, Text string }

// statusBadge returns the state of an organisation's plan.
func statusBadge(org account.Organisation) badge {
	a := &org.Billing
	switch live := a.LiveSubscription(); {
	case a.Hold() != billing.NoHold:
		return badge{"bad", "on hold"}
	case live != nil:
		return liveBadge(live, org.TimeZone())
	case a.OwingSubscription() != nil:
		return badge{"bad", "ended, money owed"}
	case a.OpenSubscription() != nil:
		return badge{"note", "first payment open"}
	case a.DevLicense != nil:
		return badge{"brand", "developer license"}
	case len(a.Subscriptions) > 0:
		return badge{"plain", strings.TrimSpace("ended " + org.TimeZone().Date(a.Subscriptions[0].EndsAt))}
	}
	return badge{"plain", "no plan"}
}

// liveBadge returns the state of a live subscription.
func liveBadge(s *billing.Subscription, zone timezone.Zone) badge {
	switch {
	case s.Status == billing.PastDue:
		return badge{"bad", "payment overdue"}
	case !s.EndsAt.IsZero():
		return badge{"note", "ends " + zone.Date(s.EndsAt)}
	case s.Status == billing.Trialing:
		return badge{"brand", "trial until " + zone.Date(s.TrialEnd)}
	}
	return badge{"ok", "active"}
}

// planName returns the name of the plan and its interval.
func (c *Console) planName(price catalogue.PriceRef) string {
	if price.Product == "" {
		return "No plan"
	}
	return c.Catalogue.PlanName(price.Product) + ", " + string(price.Interval)
}

// plan returns the name of the organisation's current or last plan.
func (c *Console) plan(org account.Organisation) string {
	for _, s := range []*billing.Subscription{org.Billing.LiveSubscription(), org.Billing.OpenSubscription()} {
		if s != nil {
			return c.planName(s.Price)
		}
	}
	if len(org.Billing.Subscriptions) > 0 {
		return c.planName(org.Billing.Subscriptions[0].Price)
	}
	return c.planName(catalogue.PriceRef{})
}

// place returns the city, the state and the country.
func place(a account.Address) string {
	parts := strings.TrimSpace(a.City + " " + a.State)
	if a.Country != "" {
		parts += ", " + a.Country
	}
	return strings.TrimPrefix(parts, ", ")
}
