package engine

import (
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Charging are the conditions under which invoices are charged through a provider that only moves money.
type Charging struct {
	// Minimum returns the smallest amount that can be charged, in minor units; nil for any. Less is due with the next invoice.
	Minimum func(currency string) int64
	// Settlement is how long it takes at most until the money of an accepted payment arrives.
	Settlement time.Duration
	// OffSession is whether saved methods can be charged without the customer. Otherwise a renewal is past due until the
	// customer pays it.
	OffSession bool
	// Retries limits how often a failed payment is made again by itself, by the kind of the method. A kind that is absent has
	// no limit but the retries of the billing.
	Retries map[billing.MethodKind]int
	// KeyRetention is how long the provider remembers the keys of payments and refunds. With 0, nothing is sent twice.
	KeyRetention time.Duration
	// LongestRequest is how long the provider may work on a request after it was made.
	LongestRequest time.Duration
}

// minimumCharge returns the smallest amount that is charged; 0 for accounts that pay by transfer.
func (t Terms) minimumCharge(currency string) int64 {
	if t.Charging == nil || t.Charging.Minimum == nil {
		return 0
	}
	return t.Charging.Minimum(currency)
}

// Source is what a payment is charged to: a saved method, or what the browser created for a new one. If both are "", the
// customer enters a method on the provider's page. It is not used by accounts that pay by transfer.
type Source struct {
	Method   string // reference of a saved method
	Token    string
	ReturnTo string // where the customer goes from the provider's page
}

func (s Source) isPage() bool { return s.Method == "" && s.Token == "" }

// AccountMethod is a saved payment method. It is comparable and can be stored as JSON.
type AccountMethod struct {
	Ref     string                `json:"ref"` // the provider's
	Details billing.PaymentMethod `json:"details"`
	Pending bool                  `json:"pending,omitempty"` // it can't be charged yet: its bank has to confirm the mandate
	// Removed is whether the customer has removed the method, which the provider does not know yet: see Outbox.Forget.
	Removed bool `json:"removed,omitempty"`
}

// Method returns the saved method, or NotFound.
func (a *Account) Method(ref string) (AccountMethod, error) {
	for _, m := range a.Methods {
		if m.Ref == ref && !m.Removed {
			return m, nil
		}
	}
	return AccountMethod{}, fault.New(fault.NotFound, "There is no such payment method.")
}

// checkSource returns NotFound for a saved method that the account does not have.
func (a *Account) checkSource(src Source) error {
	if src.Method == "" {
		return nil
	}
	_, err := a.Method(src.Method)
	return err
}

// MethodOrder is the request to save a method without a payment.
type MethodOrder struct {
	Key         string // of the attempt
	Source      Source
	KeepDefault bool // the method does not become the default one
}

// SaveMethod begins an attempt of 0 that saves a method, see Report. A method that is saved already only becomes the
// default one.
func (a *Account) SaveMethod(o MethodOrder) error {
	if o.Source.Method != "" {
		if o.KeepDefault {
			return a.checkSource(o.Source)
		}
		return a.SetDefaultMethod(o.Source.Method)
	}
	a.beginSaving(o.Key, o.Source, o.KeepDefault)
	return nil
}

func (a *Account) beginSaving(key string, src Source, keepDefault bool) {
	a.putAttempt(Attempt{
		Key: key, Currency: a.Currency, Token: src.Token, ReturnTo: src.ReturnTo, KeepDefault: keepDefault, CustomerPresent: true,
		State: AttemptStored, Created: a.Now,
	})
}

// SetDefaultMethod makes a saved method the one that is charged for renewals. NotFound if there is no such method.
func (a *Account) SetDefaultMethod(ref string) error {
	if _, err := a.Method(ref); err != nil {
		return err
	}
	a.DefaultMethod = ref
	for _, s := range a.Subscriptions {
		if s.Setup != "" {
			a.cancelSetup(&s)
			a.put(s)
		}
	}
	return nil
}

// RemoveMethod removes a saved method. Due lists it until Forgotten, and not before its payments are complete. NotFound if
// there is no such method.
func (a *Account) RemoveMethod(ref string) error {
	if _, err := a.Method(ref); err != nil {
		return err
	}
	a.updateMethod(ref, func(m *AccountMethod) { m.Removed = true })
	return nil
}

// Forgotten removes a method that has ended at the provider.
func (a *Account) Forgotten(ref string) {
	a.updateMethod(ref, func(m *AccountMethod) { m.Removed = true })
	a.Methods = slices.DeleteFunc(a.Methods, func(m AccountMethod) bool { return m.Ref == ref })
}

// updateMethod changes a method in a new list, so that a copy of the account keeps the old one.
func (a *Account) updateMethod(ref string, change func(*AccountMethod)) {
	methods := slices.Clone(a.Methods)
	for i := range methods {
		if methods[i].Ref != ref {
			continue
		}
		if change(&methods[i]); methods[i].Removed && a.DefaultMethod == ref {
			a.DefaultMethod = ""
		}
	}
	a.Methods = methods
}

// learnMethod saves the method that a payment was made with, newest first. One that the customer has entered becomes the
// default one.
func (a *Account) learnMethod(attempt Attempt, reported AccountMethod) {
	known := slices.ContainsFunc(a.Methods, func(m AccountMethod) bool { return m.Ref == reported.Ref })
	entered := attempt.Method == ""
	if known {
		a.updateMethod(reported.Ref, func(m *AccountMethod) {
			m.Details, m.Pending, m.Removed = reported.Details, reported.Pending, m.Removed && !entered
		})
	} else {
		a.Methods = append([]AccountMethod{reported}, a.Methods...)
	}
	if entered && !attempt.KeepDefault || !known && a.DefaultMethod == "" {
		_ = a.SetDefaultMethod(reported.Ref) // it was saved above
	}
}

// cancelSetup removes the attempt to save a method for the subscription, which the caller stores. An open one is canceled.
func (a *Account) cancelSetup(s *AccountSubscription) {
	if attempt, err := a.Attempt(s.Setup); err == nil {
		if canceled, err := attempt.Cancel(); err == nil {
			a.putAttempt(canceled)
		}
	}
	s.Setup = ""
}
