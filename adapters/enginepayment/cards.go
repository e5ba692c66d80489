package enginepayment

import (
	"context"
	"time"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// findMethod returns the saved method with the reference or the token, or NotFound. The application knows a new card by its
// token until it has read the saved card.
func findMethod(a *engine.Account, id string) (engine.AccountMethod, error) {
	if m, err := a.Method(id); err == nil {
		return m, nil
	}
	return a.MethodOfToken(id)
}

// cardSource returns the source of a payment for a gateway with a card field. It is the saved card with the reference or
// token methodID, a new card if methodID is another token, or the default card if methodID is "". It returns Invalid if
// there is no card. The payment saves a new card. A page on which the bank authenticates the customer leads back to returnTo.
func cardSource(a *engine.Account, methodID, returnTo string) (engine.Source, error) {
	switch m, err := findMethod(a, methodID); {
	case methodID == "" && a.DefaultMethod == "":
		return engine.Source{}, errNoCard
	case methodID == "":
		return engine.Source{Method: a.DefaultMethod, ReturnTo: returnTo}, nil
	case err == nil:
		return engine.Source{Method: m.Ref, ReturnTo: returnTo}, nil
	}
	return engine.Source{Token: methodID, ReturnTo: returnTo}, nil
}

var (
	errNoCard      = fault.New(fault.Invalid, "There is no payment method to charge. Please add one first.")
	errUnknownCard = fault.New(fault.NotFound, "There is no such payment method.")
)

// checkDefaultCard returns Invalid if a change of the subscription waits for a payment and there is no default card.
func checkDefaultCard(a *engine.Account, subscriptionID string) error {
	s, err := a.Subscription(subscriptionID)
	if err == nil && s.Pending.Invoice != "" && a.DefaultMethod == "" {
		return errNoCard
	}
	return err
}

// AddCard implements payment.Provider. A gateway with a card field saves the card of a token without charging it. If the
// customer has to authenticate the card first, AddCard returns an AuthenticationError; after the authentication, a repeat
// reads the result from the gateway. For any other gateway, AddCard returns NotFound for a method that is not saved, because
// only pages save methods.
func (p *Provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	key, err := ledger.DoOnce(ctx, p.Ledger, "add method", req.Key, req, func(tx plugin.Tx) (key string, err error) {
		_, err = p.UpdateInTx(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			key, err = p.addCard(r.Account, req)
			return err
		})
		return key, err
	})
	switch {
	case err != nil:
		return billing.PaymentMethod{}, err
	case key == "":
		p.sendSetups(ctx, req.CustomerID)
	default:
		setup, err := p.completeSetup(ctx, req.CustomerID, key)
		if err == nil && setup.State == engine.AttemptOpen {
			err = p.completeAuthentication(ctx, req.CustomerID, setup)
		}
		if err != nil {
			return billing.PaymentMethod{}, err
		}
	}
	return p.readMethod(ctx, req.CustomerID, req.MethodID)
}

// addCard makes a saved card the default one unless KeepDefault is set, or begins the attempt that saves a new card. It
// returns the key of the attempt, which may have begun before, or "" for a saved card.
func (p *Provider) addCard(a *engine.Account, req payment.NewCard) (setupKey string, err error) {
	m, err := findMethod(a, req.MethodID)
	switch {
	case err == nil && req.KeepDefault:
		return "", nil
	case err == nil:
		return "", a.SetDefaultMethod(m.Ref)
	case !p.hasCardField() || req.MethodID == "":
		return "", err
	}
	if setup, found := a.ResumeSetup(req.MethodID); found {
		return setup.Key, nil
	}
	setupKey = newKey()
	return setupKey, a.SaveMethod(engine.SaveMethodRequest{
		Key: setupKey, Source: engine.Source{Token: req.MethodID, ReturnTo: req.ReturnTo}, KeepDefault: req.KeepDefault,
		CustomerAbsent: true,
	})
}

// readMethod returns the saved method with the reference or token.
func (p *Provider) readMethod(ctx context.Context, customerID, id string) (out billing.PaymentMethod, err error) {
	err = p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		m, err := findMethod(r.Account, id)
		out = m.Details
		return err
	})
	return out, err
}

// sendSetups sends the attempt that authenticates the new default card of a trial, if there is one. It logs a failure.
func (p *Provider) sendSetups(ctx context.Context, customerID string) {
	if !p.hasCardField() {
		return
	}
	if _, err := p.processOutbox(ctx, customerID, sendTimeout); err != nil {
		p.Log.WarnContext(ctx, "a card can't be authenticated yet; the worker continues", "error", err)
	}
}

// completeAuthentication returns an AuthenticationError while the customer has to complete the open attempt that saves a card.
// Otherwise it returns the result of the attempt, as completeSetup does.
func (p *Provider) completeAuthentication(ctx context.Context, customerID string, setup engine.Attempt) error {
	var customer ledger.Customer
	err := p.Read(ctx, customerID, ledger.Scope{}, func(_ plugin.Tx, r *ledger.Record) error {
		customer = r.Customer
		return nil
	})
	if err != nil {
		return err
	}
	open, err := p.readOpenPayment(ctx, customer, setup, nil)
	if err != nil {
		return err
	}
	if open.State != gateway.Open {
		if _, err := p.markForLookup(ctx, gateway.Reference{Key: setup.Key}); err != nil {
			return err
		}
		_, err := p.completeSetup(ctx, customerID, setup.Key)
		return err
	}
	next := billing.NextAction{Kind: billing.ConfirmSetup, Secret: open.Secret}
	if open.URL != "" {
		next = billing.NextAction{Kind: billing.Redirect, URL: open.URL, Until: open.ExpiresAt}
	}
	return &payment.AuthenticationError{Next: next}
}

// completeSetup sends the attempt that saves a card. It returns the attempt if the card is saved or has to be authenticated.
// Otherwise it returns Declined with the gateway's reason, NotFound for an unknown token, Conflict if the customer has
// chosen another card, or Unavailable if the result is not known yet.
func (p *Provider) completeSetup(ctx context.Context, customerID, key string) (setup engine.Attempt, err error) {
	_, sendErr := p.processOutbox(ctx, customerID, sendTimeout)
	setup, err = p.waitForSetup(ctx, customerID, key)
	switch {
	case err != nil:
		return setup, err
	case setup.State == engine.AttemptPaid, setup.State == engine.AttemptProcessing, setup.State == engine.AttemptOpen:
		return setup, nil
	case setup.MethodGone:
		return setup, errUnknownCard
	case setup.State == engine.AttemptFailed:
		return setup, fault.New(fault.Declined, setup.Reason)
	case setup.State == engine.AttemptCanceled:
		return setup, fault.New(fault.Conflict, "The card was not saved, because another card was chosen.")
	}
	return setup, fault.Wrap(sendErr, fault.Unavailable, "The payment provider did not respond.")
}

// waitForSetup returns the attempt with the key. While another request is sending the attempt, it waits for the outcome, for at
// most sendTimeout.
func (p *Provider) waitForSetup(ctx context.Context, customerID, key string) (setup engine.Attempt, err error) {
	waitUntil(ctx, func() (isDone bool) {
		isBeingSent := false
		err = p.Read(ctx, customerID, ledger.Scope{AttemptKeys: []string{key}}, func(_ plugin.Tx, r *ledger.Record) (err error) {
			setup, err = r.Account.Attempt(key)
			isBeingSent = setup.IsBeingSent(r.Account.ClaimNow)
			return err
		})
		return err != nil || !isBeingSent
	})
	return setup, err
}

// waitUntil calls check until check returns true, for at most sendTimeout.
func waitUntil(ctx context.Context, check func() (isDone bool)) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	ticker := time.NewTicker(sendPollInterval)
	defer ticker.Stop()
	for !check() {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// cardKey returns the key under which saveCardOfTrial saves the card of the request with the key.
func cardKey(requestKey string) string { return requestKey + "-card" }

// trialSetupKey returns the key of the attempt with which saveCardOfTrial saves the card of the request with the key.
func trialSetupKey(requestKey string) string { return "gpay_" + cardKey(requestKey) }

// Retire implements payment.Fence. Subscribe saves the card of a trial under a key of its own. Retire retires this key
// first, so that a concurrent Subscribe saves no card. If the saving has begun already, Retire ignores the Conflict and
// stops the saving after it has retired the request. It does not stop an attempt of an earlier request that Subscribe has
// resumed.
func (p *Provider) Retire(ctx context.Context, req payment.Retirement) error {
	if p.hasCardField() && req.Key != "" {
		card := payment.Retirement{Key: cardKey(req.Key), CustomerID: req.CustomerID}
		if err := p.Ledger.Retire(ctx, card); err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	if err := p.Ledger.Retire(ctx, req); err != nil || !p.hasCardField() {
		return err
	}
	setupKey := trialSetupKey(req.Key)
	_, err := p.Update(ctx, req.CustomerID, ledger.Scope{AttemptKeys: []string{setupKey}}, func(r *ledger.Record) error {
		r.Account.RetireSetup(setupKey)
		return nil
	})
	return err
}

// saveCardOfTrial saves the new card of a request for a trial, so that a declined card starts no trial. It returns the key
// of the attempt, or "" if the request names a saved card, or starts no trial. The attempt may have begun with an earlier request
// for the same card that was retired.
func (p *Provider) saveCardOfTrial(ctx context.Context, req payment.NewSubscription) (setupKey string, err error) {
	if !p.hasCardField() || req.TrialDays == 0 || req.MethodID == "" {
		return "", nil
	}
	setupKey, err = ledger.DoOnce(ctx, p.Ledger, "save card of trial", cardKey(req.Key), req, func(tx plugin.Tx) (key string, err error) {
		_, err = p.UpdateInTx(ctx, tx, req.CustomerID, ledger.Scope{}, func(r *ledger.Record) error {
			if _, err := findMethod(r.Account, req.MethodID); err == nil {
				return nil
			}
			engineReq, err := r.SubscribeRequest("", req)
			if err == nil {
				_, err = r.Account.QuoteSubscribe(engineReq)
			}
			if err != nil {
				return err
			}
			if setup, found := r.Account.ResumeSetup(req.MethodID); found {
				key = setup.Key
				return nil
			}
			key = trialSetupKey(req.Key)
			return r.Account.SaveMethod(engine.SaveMethodRequest{
				Key: key, Source: engine.Source{Token: req.MethodID, ReturnTo: req.ReturnTo},
				KeepDefault: true, // until the trial begins
			})
		})
		return key, err
	})
	if err != nil || setupKey == "" {
		return "", err
	}
	_, err = p.completeSetup(ctx, req.CustomerID, setupKey)
	return setupKey, err
}

// endIfTokenIsUnknown ends a new subscription and returns NotFound if the gateway does not know the token of its card. It also
// returns NotFound if an earlier call has ended the subscription. It returns nil otherwise.
func (p *Provider) endIfTokenIsUnknown(ctx context.Context, req payment.NewSubscription, s billing.Subscription) error {
	isUnpaid := s.Status == billing.Incomplete || s.Status == billing.IncompleteExpired
	if !p.hasCardField() || req.MethodID == "" || !isUnpaid {
		return nil
	}
	isUnknown := false
	_, err := p.Update(ctx, req.CustomerID, ledger.Scope{InvoiceID: s.LatestInvoice.ID}, func(r *ledger.Record) error {
		attempt := r.Account.LatestAttempt(s.LatestInvoice.ID)
		if isUnknown = attempt.HasUnknownToken(); isUnknown {
			return r.Account.End(s.ID, true)
		}
		return nil
	})
	if err == nil && isUnknown {
		err = errUnknownCard
	}
	return err
}

// checkToken returns NotFound if the gateway does not know the token with which the request pays.
func (p *Provider) checkToken(ctx context.Context, customerID string, req payment.InvoicePayment) error {
	if !p.hasCardField() || req.MethodID == "" {
		return nil
	}
	return p.Read(ctx, customerID, ledger.Scope{InvoiceID: req.InvoiceID}, func(_ plugin.Tx, r *ledger.Record) error {
		if attempt := r.Account.LatestAttempt(req.InvoiceID); attempt.HasUnknownToken() && attempt.HasToken(req.MethodID) {
			return errUnknownCard
		}
		return nil
	})
}
