package main

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// checkoutExpiry limits how long a first payment can be made.
const checkoutExpiry = 23 * time.Hour

// provider is the fake provider with a payment page instead of a card field. A first payment saves a
// mandate for the customer's bank account, which the fake provider keeps as a card.
type provider struct {
	*fakepayment.Provider
	page    string // URL of the payment page
	webhook string // URL of the application that receives the events

	mu       sync.Mutex
	returnTo map[string]string // where the customer returns to, by subscription
	events   []event           // that were not sent yet
}

func open(c fakepayment.Config, page, webhook string) (*provider, error) {
	c.PayLater = true
	fake, err := fakepayment.Open(c)
	if err != nil {
		return nil, err
	}
	p := &provider{Provider: fake, page: page, webhook: webhook, returnTo: map[string]string{}}
	fake.DeliverTo(p.queueEvent)
	return p, fake.Start(context.Background())
}

func (p *provider) Capabilities() payment.Capabilities {
	missing := maps.Clone(p.Provider.Capabilities().Missing)
	missing[payment.Trials] = "a mandate needs a first payment"
	return payment.Capabilities{Entry: payment.EntryRedirect, Missing: missing}
}

func (p *provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	if req.TrialDays > 0 {
		return billing.Subscription{}, payment.Unsupported(payment.Trials)
	}
	returnTo := req.ReturnTo
	req.ReturnTo = ""
	s, err := p.Provider.Subscribe(ctx, req)
	p.setReturnTo(s, returnTo)
	return p.subscription(s, err)
}

func (p *provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	s, err := p.Provider.PayInvoice(ctx, req)
	p.setReturnTo(s, req.ReturnTo)
	return p.subscription(s, err)
}

func (p *provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	s, err := p.Provider.ChangePlan(ctx, req)
	p.setReturnTo(s, req.ReturnTo)
	return p.subscription(s, err)
}

func (p *provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return p.subscription(p.Provider.Subscription(ctx, id))
}

func (p *provider) ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error) {
	all, err := p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	for i := range all {
		all[i], _ = p.subscription(all[i], nil)
	}
	return all, err
}

func (p *provider) CancelPendingChange(ctx context.Context, req payment.PendingCancellation) (billing.Subscription, error) {
	return p.subscription(p.Provider.CancelPendingChange(ctx, req))
}

func (p *provider) CancelScheduledChange(ctx context.Context, req payment.ScheduleCancellation) (billing.Subscription, error) {
	return p.subscription(p.Provider.CancelScheduledChange(ctx, req))
}

func (p *provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.subscription(p.Provider.SetEndAtPeriodEnd(ctx, req))
}

func (p *provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.subscription(p.Provider.CancelSubscription(ctx, req))
}

func (p *provider) QuoteSubscription(ctx context.Context, req payment.NewSubscription) (billing.Quote, error) {
	if req.TrialDays > 0 {
		return billing.Quote{}, payment.Unsupported(payment.Trials)
	}
	return p.Provider.QuoteSubscription(ctx, req)
}

func (p *provider) ExtendTrial(context.Context, payment.TrialExtension) (billing.Subscription, error) {
	return billing.Subscription{}, payment.Unsupported(payment.Trials)
}

func (p *provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return customer(p.Provider.Customer(ctx, id))
}

func (p *provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return customer(p.Provider.CustomerOf(ctx, owner))
}

func (p *provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	return customer(p.Provider.UpdateCustomer(ctx, req))
}

func (p *provider) AddCredit(ctx context.Context, req payment.Credit) (billing.Customer, error) {
	return customer(p.Provider.AddCredit(ctx, req))
}

func (p *provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	return customer(p.Provider.LiftHold(ctx, req))
}

func (p *provider) SetDefaultCard(ctx context.Context, req payment.SavedCard) (billing.Customer, error) {
	return customer(p.Provider.SetDefaultCard(ctx, req))
}

func (p *provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	all, err := p.Provider.Cards(ctx, customerID)
	for i := range all {
		all[i] = mandate(all[i])
	}
	return all, err
}

func (p *provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	m, err := p.Provider.AddCard(ctx, req)
	return mandate(m), err
}

// setReturnTo stores where the page sends the customer back.
func (p *provider) setReturnTo(s billing.Subscription, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.returnTo[s.ID] = to
}

// subscription replaces the payment in the browser by a redirect to the payment page.
func (p *provider) subscription(s billing.Subscription, err error) (billing.Subscription, error) {
	if err != nil || s.LatestInvoice == nil {
		return s, err
	}
	inv := *s.LatestInvoice
	inv.Payment = nil
	s.LatestInvoice = &inv
	if s.Next.Kind != billing.NewPaymentMethod {
		return s, nil
	}
	s.Next.Kind, s.Next.Secret, s.Next.URL = billing.Redirect, "", p.page+"/checkout/"+s.ID+"/"+inv.ID
	if s.Next.Reason != "" {
		s.Next.Reason = "Your bank declined the payment."
	}
	if s.Status == billing.Incomplete {
		s.Next.Until = s.CreatedAt.Add(checkoutExpiry)
	}
	return s, nil
}

func customer(c billing.Customer, err error) (billing.Customer, error) {
	if c.Default != nil {
		m := mandate(*c.Default)
		c.Default = &m
	}
	return c, err
}

// mandate converts a card of the fake provider to a bank account.
func mandate(m billing.PaymentMethod) billing.PaymentMethod {
	if m.ID == "" {
		return m
	}
	return billing.PaymentMethod{ID: m.ID, Kind: billing.BankDebitMethod, Label: "Bank account ••" + m.Card.Last4[2:]}
}
