package main

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// checkoutExpiry limits how long a first payment can be made.
const checkoutExpiry = 23 * time.Hour

// provider is the fake provider with its own pages instead of a card field. Each completed page stores a mandate for the
// customer's bank account, which the fake provider keeps as a card.
type provider struct {
	*fakepayment.Provider
	siteURL    string // of the pages
	webhookURL string // of the application, for events

	mu       sync.Mutex
	returnTo map[string]string // URLs to which customers return, by subscription or secret of a setup
	events   []event           // not sent yet
}

// openProvider opens the provider, which redirects to its pages at siteURL and sends its events to webhookURL.
func openProvider(c fakepayment.Config, siteURL, webhookURL string) (*provider, error) {
	c.HostedPaymentPage = true
	fake, err := fakepayment.Open(c)
	if err != nil {
		return nil, err
	}
	p := &provider{Provider: fake, siteURL: siteURL, webhookURL: webhookURL, returnTo: map[string]string{}}
	fake.SetSink(p.queueEvent)
	return p, fake.Start(context.Background())
}

func (p *provider) Capabilities() payment.Capabilities {
	return payment.Capabilities{Entry: payment.EntryRedirect}
}

func (p *provider) Subscribe(ctx context.Context, req payment.NewSubscription) (billing.Subscription, error) {
	s, err := p.Provider.Subscribe(ctx, req)
	p.setReturnTo(s.ID, req.ReturnTo)
	return p.withRedirect(s, err)
}

func (p *provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	s, err := p.Provider.PayInvoice(ctx, req)
	p.setReturnTo(s.ID, req.ReturnTo)
	return p.withRedirect(s, err)
}

func (p *provider) ChangePlan(ctx context.Context, req payment.PriceChange) (billing.Subscription, error) {
	s, err := p.Provider.ChangePlan(ctx, req)
	p.setReturnTo(s.ID, req.ReturnTo)
	return p.withRedirect(s, err)
}

func (p *provider) Subscription(ctx context.Context, id string) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.Subscription(ctx, id))
}

func (p *provider) ListSubscriptions(
	ctx context.Context, customerID string, statuses ...billing.Status,
) ([]billing.Subscription, error) {
	subs, err := p.Provider.ListSubscriptions(ctx, customerID, statuses...)
	for i := range subs {
		subs[i], _ = p.withRedirect(subs[i], nil)
	}
	return subs, err
}

func (p *provider) CancelPendingChange(
	ctx context.Context, req payment.PendingChangeCancellation,
) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.CancelPendingChange(ctx, req))
}

func (p *provider) CancelScheduledChange(
	ctx context.Context, req payment.ScheduledChangeCancellation,
) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.CancelScheduledChange(ctx, req))
}

func (p *provider) SetEndAtPeriodEnd(ctx context.Context, req payment.EndRequest) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.SetEndAtPeriodEnd(ctx, req))
}

func (p *provider) CancelSubscription(ctx context.Context, req payment.Cancellation) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.CancelSubscription(ctx, req))
}

func (p *provider) ExtendTrial(ctx context.Context, req payment.TrialExtension) (billing.Subscription, error) {
	return p.withRedirect(p.Provider.ExtendTrial(ctx, req))
}

// SetUpMethod replaces the setup of the fake provider by a redirect to the page that completes it.
func (p *provider) SetUpMethod(ctx context.Context, req payment.MethodSetup) (billing.NextAction, error) {
	next, err := p.Provider.SetUpMethod(ctx, req)
	if err != nil {
		return next, err
	}
	p.setReturnTo(next.Secret, req.ReturnTo)
	return billing.NextAction{Kind: billing.Redirect, URL: p.siteURL + "/method/" + next.Secret}, nil
}

func (p *provider) Customer(ctx context.Context, id string) (billing.Customer, error) {
	return withBankAccount(p.Provider.Customer(ctx, id))
}

func (p *provider) CustomerOf(ctx context.Context, owner payment.Owner) (billing.Customer, error) {
	return withBankAccount(p.Provider.CustomerOf(ctx, owner))
}

func (p *provider) UpdateCustomer(ctx context.Context, req payment.CustomerUpdate) (billing.Customer, error) {
	return withBankAccount(p.Provider.UpdateCustomer(ctx, req))
}

func (p *provider) AddCredit(ctx context.Context, req payment.CreditGrant) (billing.Customer, error) {
	return withBankAccount(p.Provider.AddCredit(ctx, req))
}

func (p *provider) LiftHold(ctx context.Context, req payment.HoldLift) (billing.Customer, error) {
	return withBankAccount(p.Provider.LiftHold(ctx, req))
}

func (p *provider) SetDefaultCard(ctx context.Context, req payment.SavedCardRequest) (billing.Customer, error) {
	return withBankAccount(p.Provider.SetDefaultCard(ctx, req))
}

func (p *provider) Cards(ctx context.Context, customerID string) ([]billing.PaymentMethod, error) {
	methods, err := p.Provider.Cards(ctx, customerID)
	for i := range methods {
		methods[i] = toBankAccount(methods[i])
	}
	return methods, err
}

func (p *provider) AddCard(ctx context.Context, req payment.NewCard) (billing.PaymentMethod, error) {
	m, err := p.Provider.AddCard(ctx, req)
	return toBankAccount(m), err
}

// setReturnTo stores the URL to which the page of a subscription or a setup sends the customer back.
func (p *provider) setReturnTo(key, url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.returnTo[key] = url
}

// withRedirect replaces a payment that the browser confirms by a redirect to the payment page.
func (p *provider) withRedirect(s billing.Subscription, err error) (billing.Subscription, error) {
	if err != nil || s.LatestInvoice == nil {
		return s, err
	}
	inv := *s.LatestInvoice
	inv.Payment = nil
	s.LatestInvoice = &inv
	if s.Next.Method != nil {
		m := toBankAccount(*s.Next.Method)
		m.Fingerprint = ""
		s.Next.Method = &m
	}
	if s.Next.Kind != billing.NewPaymentMethod {
		return s, nil
	}
	s.Next.Kind, s.Next.Secret, s.Next.URL = billing.Redirect, "", p.siteURL+"/checkout/"+s.ID+"/"+inv.ID
	if s.Next.Reason != "" {
		s.Next.Reason = "Your bank declined the payment."
	}
	if s.Status == billing.Incomplete {
		s.Next.Until = s.CreatedAt.Add(checkoutExpiry)
	}
	return s, nil
}

// withBankAccount converts the default method to a bank account.
func withBankAccount(c billing.Customer, err error) (billing.Customer, error) {
	if c.Default != nil {
		m := toBankAccount(*c.Default)
		c.Default = &m
	}
	return c, err
}

// toBankAccount converts a card or bank account of the fake provider to a bank account.
func toBankAccount(m billing.PaymentMethod) billing.PaymentMethod {
	if m.ID == "" {
		return m
	}
	name := m.DisplayName()
	return billing.PaymentMethod{
		ID: m.ID, Kind: billing.BankDebitMethod, Label: "Bank account ••" + name[len(name)-2:],
		Fingerprint: cmp.Or(m.Card.Fingerprint, m.Fingerprint),
	}
}
