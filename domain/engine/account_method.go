package engine

import (
	"slices"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// Source selects the method that a payment is charged to: a saved method, or a new one for which the browser created a
// token. If both are "", the customer enters a method on the provider's page. Payments by transfer have no Source.
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
	Pending bool                  `json:"pending,omitempty"` // it can't be charged yet: its bank has to confirm the mandate
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

// MethodOrder is the request to save a method without a payment.
type MethodOrder struct {
	Key         string // the key of the attempt
	Source      Source
	KeepDefault bool // the method does not become the default one
}

// SaveMethod begins an attempt to collect 0, which saves the method that the provider reports. A method that is saved already
// becomes the default one, unless the order has KeepDefault.
func (a *Account) SaveMethod(o MethodOrder) error {
	if o.Source.Method != "" {
		if o.KeepDefault {
			return a.checkSource(o.Source)
		}
		return a.SetDefaultMethod(o.Source.Method)
	}
	a.beginSetup(o.Key, o.Source, o.KeepDefault)
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

// RemoveMethod removes a saved method. When its payments are complete, Due lists it until ReportMethodForgotten is called.
// RemoveMethod returns NotFound if there is no such method.
func (a *Account) RemoveMethod(ref string) error {
	if _, err := a.Method(ref); err != nil {
		return err
	}
	a.updateMethod(ref, func(m *AccountMethod) { m.Removed = true })
	return nil
}

// ReportMethodForgotten deletes a method that no longer exists at the provider.
func (a *Account) ReportMethodForgotten(ref string) {
	a.updateMethod(ref, func(m *AccountMethod) { m.Removed = true })
	a.Methods = slices.DeleteFunc(a.Methods, func(m AccountMethod) bool { return m.Ref == ref })
}

// updateMethod changes a method in a new list, so that it does not change a copy of the account.
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

// rememberMethod saves the method that an attempt was charged to. A method that the customer has entered becomes the default
// one unless the attempt has KeepDefault.
func (a *Account) rememberMethod(attempt Attempt, reported AccountMethod) {
	isKnown := slices.ContainsFunc(a.Methods, func(m AccountMethod) bool { return m.Ref == reported.Ref })
	isEntered := attempt.Method == ""
	if isKnown {
		a.updateMethod(reported.Ref, func(m *AccountMethod) {
			m.Details, m.Pending, m.Removed = reported.Details, reported.Pending, m.Removed && !isEntered
		})
	} else {
		a.Methods = append([]AccountMethod{reported}, a.Methods...)
	}
	if isEntered && !attempt.KeepDefault || !isKnown && a.DefaultMethod == "" {
		_ = a.SetDefaultMethod(reported.Ref) // no error: the method was saved above
	}
}

// cancelSetup cancels the attempt to save a method for the subscription and removes it from the subscription, which the
// caller stores.
func (a *Account) cancelSetup(s *AccountSubscription) {
	if attempt, err := a.Attempt(s.SetupKey); err == nil {
		a.cancelIfPossible(attempt)
	}
	s.SetupKey = ""
}
