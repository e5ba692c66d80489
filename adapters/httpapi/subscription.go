package httpapi

import (
	"context"
	"net/http"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

type priceChoiceWire struct {
	PriceID  string `json:"priceId"`
	Interval string `json:"interval"`
	Currency string `json:"currency"`
}

type subscribeWire struct {
	priceChoiceWire
	CustomerID      string `json:"customerId"`
	PaymentMethodID string `json:"paymentMethodId"`
	NoTrial         bool   `json:"no_trial"`
	Quote           string `json:"quote"`
	retriedInvoiceWire
}

type changePlanWire struct {
	priceChoiceWire
	When  changeTimingWire `json:"when"`
	Quote string           `json:"quote"`
	retriedInvoiceWire
}

// retriedInvoiceWire contains the ID of the invoice that an earlier attempt did not pay, or "".
type retriedInvoiceWire struct {
	RetryInvoiceID string `json:"retryInvoiceId"`
}

func (a *api) subscribe(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[subscribeWire](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.Subscribe.Do(r.Context(), caller, app.SubscribeRequest{
		CustomerID: req.CustomerID, MethodID: req.PaymentMethodID,
		Price: app.PriceChoice(req.priceChoiceWire), NoTrial: req.NoTrial, Quote: req.Quote,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub, billing.DecideOutcome(sub, req.retriesInvoice(sub))))
}

func (a *api) changePlan(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeBody[changePlanWire](r)
	if err != nil {
		return err
	}
	timing, err := req.When.parse()
	if err != nil {
		return err
	}
	sub, err := a.UseCases.ChangePlan.Do(r.Context(), caller, app.ChangeRequest{
		PriceChoice: app.PriceChoice(req.priceChoiceWire), When: timing, Quote: req.Quote,
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toPurchaseWire(sub, billing.DecideOutcome(sub, req.retriesInvoice(sub))))
}

func (a *api) endSubscription(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[struct {
		Reason  billing.EndReason `json:"reason"`
		Comment string            `json:"comment"`
	}](r)
	if err != nil {
		return err
	}
	sub, err := a.UseCases.EndSubscription.Do(r.Context(), caller, app.EndRequest{Reason: req.Reason, Comment: req.Comment})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toSubscriptionWire(sub))
}

func (a *api) cancelPendingChange(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	return respondWithChangedSubscription(w, r, caller, a.UseCases.CancelPendingChange.Do)
}

func (a *api) cancelScheduledChange(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	return respondWithChangedSubscription(w, r, caller, a.UseCases.CancelScheduledChange.Do)
}

func (a *api) resumeSubscription(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	return respondWithChangedSubscription(w, r, caller, a.UseCases.ResumeSubscription.Do)
}

// respondWithChangedSubscription runs a use case that has no parameters and responds with the changed subscription.
func respondWithChangedSubscription(
	w http.ResponseWriter, r *http.Request, caller identity.Identity,
	useCase func(context.Context, identity.Identity) (billing.Subscription, error),
) error {
	if _, err := decodeOptionalBody[emptyObject](r); err != nil {
		return err
	}
	sub, err := useCase(r.Context(), caller)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toSubscriptionWire(sub))
}

func (a *api) listSubscriptions(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	req, err := decodeOptionalBody[struct {
		Status billing.Status `json:"status"`
	}](r)
	if err != nil {
		return err
	}
	if err := requireKnownStatus(req.Status); err != nil {
		return err
	}
	subs, err := a.UseCases.ListSubscriptions.Do(r.Context(), caller, req.Status)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, listWire[subscriptionWire]{Data: mapEach(subs, toSubscriptionWire)})
}

// requireKnownStatus returns Invalid for an unknown status. "" is accepted and selects all subscriptions.
func requireKnownStatus(s billing.Status) error {
	var fields fault.Fields
	fields.Check(s == "" || s == billing.Incomplete || s.Live() || s.Ended(), "status", "Unknown status")
	return fields.Err()
}

// retriesInvoice reports whether the request is another attempt to pay the latest invoice.
func (req retriedInvoiceWire) retriesInvoice(s billing.Subscription) bool {
	return req.RetryInvoiceID != "" && s.LatestInvoice != nil && s.LatestInvoice.ID == req.RetryInvoiceID
}
