package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/identity"
)

type activityPageWire struct {
	Data    []activityWire `json:"data"`
	HasMore bool           `json:"hasMore"`
}

// activityWire is an activity. The kind decides which of the optional fields it has.
type activityWire struct {
	ID     string                 `json:"id"`
	At     time.Time              `json:"at"`
	Kind   audit.Kind             `json:"kind"`
	Actor  auditlog.ActivityActor `json:"actor"`
	Name   string                 `json:"name,omitempty"`
	Member string                 `json:"member,omitempty"`
	// PriceID names the plan and the interval.
	PriceID     string     `json:"priceId,omitempty"`
	Status      string     `json:"status,omitempty"`
	Role        string     `json:"role,omitempty"`
	Amount      *moneyWire `json:"amount,omitempty"`
	Number      string     `json:"number,omitempty"` // of an invoice
	EffectiveAt *time.Time `json:"effectiveAt,omitempty"`
}

func (a *api) showActivity(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	before, _ := strconv.ParseInt(r.URL.Query().Get("before"), 10, 64) // an id of another server starts with the newest
	page, hasMore, err := a.UseCases.ShowActivity.Do(r.Context(), caller, max(before, 0))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, activityPageWire{mapEach(page, toActivityWire), hasMore})
}

func toActivityWire(activity auditlog.Activity) activityWire {
	wire := activityWire{
		ID: strconv.FormatInt(activity.ID, 10), At: activity.At, Kind: activity.Kind, Actor: activity.Actor,
		Name: activity.Name, Member: activity.Member, Amount: toAuditMoneyWire(activity.Data["amount"]), Number: activity.Data["number"],
	}
	switch activity.Kind {
	case audit.PlanStarted:
		wire.PriceID, wire.Status = activity.Data["plan"], activity.Data["status"]
	case audit.PlanChanged, audit.PlanChangePending, audit.PlanChangeScheduled:
		wire.PriceID = activity.Data["to"]
	case audit.PlanStatusChanged:
		wire.Status = activity.Data["to"]
	case audit.MemberRoleChanged:
		wire.Role = activity.Data["to"]
	case audit.MemberInvited, audit.MemberJoined:
		wire.Role = activity.Data["role"]
	}
	if at, err := time.Parse(time.RFC3339, activity.Data["at"]); err == nil && activity.Kind != audit.PaymentFailed {
		wire.EffectiveAt = &at
	}
	return wire
}

// toAuditMoneyWire converts an amount of the audit log, such as "81600 AUD". It returns nil for any other text.
func toAuditMoneyWire(text string) *moneyWire {
	minor, currency, _ := strings.Cut(text, " ")
	amount, err := strconv.ParseInt(minor, 10, 64)
	if err != nil || currency == "" {
		return nil
	}
	return &moneyWire{Amount: amount, Currency: currency}
}
