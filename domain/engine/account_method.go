package engine

import (
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Source selects the method that a payment is charged to. Method selects a saved method. Token selects a new method for
// which the browser has created the token. If both are "", the customer enters a method on the provider's page. Payments
// by transfer have no Source.
type Source struct {
	Method   string // reference of a saved method
	Token    string
	ReturnTo string // the URL that the provider's page leads back to
}

// usesPage reports whether the customer enters a method on the provider's page.
func (s Source) usesPage() bool { return s.Method == "" && s.Token == "" }

// AccountMethod is a saved payment method. It is comparable and can be stored as JSON.
type AccountMethod struct {
	Ref     string                `json:"ref"` // the provider's reference
	Details billing.PaymentMethod `json:"details"`
	Pending bool                  `json:"pending,omitempty"` // the method can't be charged until its bank confirms the mandate
	// Removed reports that the customer has removed the method, which still exists at the provider; see
	// Outbox.ForgetMethods.
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

// SaveMethodRequest is the request to save a method without a payment.
type SaveMethodRequest struct {
	Key         string // the key of the attempt
	Source      Source
	KeepDefault bool // the method does not become the default one
}

// SaveMethod begins an attempt to collect 0, which saves the method that the provider reports. If the method is already
// saved, it becomes the default one, unless the request has KeepDefault.
func (a *Account) SaveMethod(req SaveMethodRequest) error {
	if req.Source.Method != "" {
		if req.KeepDefault {
			return a.checkSource(req.Source)
		}
		return a.SetDefaultMethod(req.Source.Method)
	}
	a.beginSetup(req.Key, req.Source, req.KeepDefault)
	return nil
}

// beginSetup stores an attempt to collect 0 that saves a method.
func (a *Account) beginSetup(key string, src Source, keepDefault bool) {
	a.putAttempt(Attempt{
		Key: key, Currency: a.Currency, State: AttemptStored, Created: a.Now,
		Token: src.Token, ReturnTo: src.ReturnTo, KeepDefault: keepDefault, CustomerPresent: true,
	})
}

// SetDefaultMethod makes a saved method the default one, which is charged for renewals, and cancels the attempts that save
// a method for a trial. It returns NotFound if there is no such method.
func (a *Account) SetDefaultMethod(ref string) error {
	if _, err := a.Method(ref); err != nil {
		return err
	}
	a.DefaultMethod = ref
	for _, s := range a.Subscriptions {
		if s.SetupKey != "" {
			a.cancelSetup(&s)
			a.putSubscription(s)
		}
	}
	return nil
}

// RemoveMethod removes a saved method. When the payments with the method are complete, Outbox.ForgetMethods contains the
// method until ReportMethodForgotten is called. RemoveMethod returns NotFound if there is no such method.
func (a *Account) RemoveMethod(ref string) error {
	m, err := a.Method(ref)
	if err != nil {
		return err
	}
	m.Removed = true
	a.putMethod(m)
	a.unsetDefaultMethod(ref)
	return nil
}

// ReportMethodForgotten deletes a method that no longer exists at the provider.
func (a *Account) ReportMethodForgotten(ref string) {
	a.Methods = slices.DeleteFunc(slices.Clone(a.Methods), func(m AccountMethod) bool { return m.Ref == ref })
	a.unsetDefaultMethod(ref)
}

// unsetDefaultMethod leaves the account without a default method if the given method is the default one.
func (a *Account) unsetDefaultMethod(ref string) {
	if a.DefaultMethod == ref {
		a.DefaultMethod = ""
	}
}

// putMethod replaces the method, or inserts a new one at the front.
func (a *Account) putMethod(m AccountMethod) {
	a.Methods = upsert(a.Methods, m, func(other AccountMethod) bool { return other.Ref == m.Ref })
}

// saveMethodOfAttempt saves the method that an attempt was charged to. A method that the customer has entered becomes
// the default one unless the attempt has KeepDefault.
func (a *Account) saveMethodOfAttempt(attempt Attempt, reported AccountMethod) {
	i := slices.IndexFunc(a.Methods, func(m AccountMethod) bool { return m.Ref == reported.Ref })
	isNew, isEnteredByCustomer := i < 0, attempt.Method == ""
	reported.Removed = !isNew && a.Methods[i].Removed && !isEnteredByCustomer
	a.putMethod(reported)
	if isEnteredByCustomer && !attempt.KeepDefault || isNew && a.DefaultMethod == "" {
		_ = a.SetDefaultMethod(reported.Ref) // no error: putMethod has saved the method
	}
}

// cancelSetup cancels the attempt to save a method for the subscription, and clears the SetupKey of the subscription.
// The caller stores the subscription.
func (a *Account) cancelSetup(s *AccountSubscription) {
	if attempt, err := a.Attempt(s.SetupKey); err == nil {
		a.cancelIfPossible(attempt)
	}
	s.SetupKey = ""
}
