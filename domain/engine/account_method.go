package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	// KeepDefault states that a new method does not become the default one.
	KeepDefault bool
}

// usesPage reports whether the customer enters a method on the provider's page.
func (s Source) usesPage() bool { return s.Method == "" && s.Token == "" }

// AccountMethod is a saved payment method. It is comparable and can be stored as JSON.
type AccountMethod struct {
	Ref     string                `json:"ref"` // the provider's reference
	Details billing.PaymentMethod `json:"details"`
	Pending bool                  `json:"pending,omitempty"` // the method can't be charged until its bank confirms the mandate
	// TokenHash identifies the token with which the customer entered the method, see MethodOfToken. A token can be used
	// once, so it is not stored itself.
	TokenHash string `json:"token_hash,omitempty"`
	// Removed reports that the customer has removed the method, which still exists at the provider; see
	// Outbox.RemovedMethods.
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

// MethodOfToken returns the method that was saved with the token, or NotFound.
func (a *Account) MethodOfToken(token string) (AccountMethod, error) {
	hash := hashToken(token)
	for _, m := range a.Methods {
		if hash != "" && m.TokenHash == hash && !m.Removed {
			return m, nil
		}
	}
	return AccountMethod{}, fault.New(fault.NotFound, "There is no such payment method.")
}

// hashToken returns a hash that identifies a token, or "" for no token.
func hashToken(token string) string {
	if token == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:16])
}

// checkSource returns NotFound if the source names a method that the account has not saved.
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
	// CustomerAbsent states that the customer can't authenticate the method now. The method is saved without an
	// authentication, or not at all.
	CustomerAbsent bool
}

// SaveMethod begins an attempt with the amount 0, which saves the method that the provider reports. If Source names a
// saved method, SaveMethod begins no attempt. It makes this method the default one, unless the request has KeepDefault,
// and returns NotFound if the method is not saved.
func (a *Account) SaveMethod(req SaveMethodRequest) error {
	if req.Source.Method != "" {
		if req.KeepDefault {
			return a.checkSource(req.Source)
		}
		return a.SetDefaultMethod(req.Source.Method)
	}
	a.beginSetup(req)
	return nil
}

// RetireSetup stops the attempt to save a method for a request that was retired. If the attempt may have been sent already,
// it is looked up and not sent again. A method that it has saved stays saved. RetireSetup has no effect if there is no such
// attempt.
func (a *Account) RetireSetup(key string) {
	attempt, err := a.Attempt(key)
	switch {
	case err != nil:
	case attempt.State == AttemptClaimed:
		attempt.Retired = true
		a.putAttempt(attempt)
	default:
		a.cancelIfPossible(attempt)
	}
}

// ResumeSetup returns the attempt with the amount 0 that saves the method of the token, if its result is not known yet,
// or if the customer has not authenticated the method yet. The provider accepts a token only once, so no second attempt
// may begin; the attempt is sent again even if RetireSetup has stopped it.
func (a *Account) ResumeSetup(token string) (setup Attempt, found bool) {
	for _, attempt := range a.Attempts {
		switch {
		case attempt.Amount != 0 || !attempt.HasToken(token):
		case attempt.State == AttemptStored, attempt.State == AttemptOpen:
			return attempt, true
		case attempt.State == AttemptClaimed:
			attempt.Retired, attempt.Token = false, token
			a.putAttempt(attempt)
			return attempt, true
		}
	}
	return Attempt{}, false
}

// beginSetup stores an attempt with the amount 0 that saves a new method, or authenticates a saved one.
func (a *Account) beginSetup(req SaveMethodRequest) {
	attempt := Attempt{
		Key: req.Key, Currency: a.Currency, State: AttemptStored, Created: a.Now,
		KeepDefault: req.KeepDefault, CustomerPresent: !req.CustomerAbsent,
	}
	a.putAttempt(a.withSource(attempt, req.Source))
}

// withSource returns the attempt with the method or token to charge.
func (a *Account) withSource(attempt Attempt, src Source) Attempt {
	attempt.Method, attempt.Token, attempt.ReturnTo = src.Method, src.Token, src.ReturnTo
	attempt.TokenHash, attempt.KeepDefault = hashToken(src.Token), attempt.KeepDefault || src.KeepDefault
	if m, err := a.Method(src.Method); err == nil {
		attempt.MethodDetails = withoutFingerprints(m.Details)
	}
	return attempt
}

// SetDefaultMethod makes a saved method the default one, which is charged for renewals. If the method of a trial was not
// saved or authenticated yet, SetDefaultMethod cancels the attempt to do so, and authenticates the new default method
// instead. It returns NotFound if there is no such method.
func (a *Account) SetDefaultMethod(ref string) error {
	if _, err := a.Method(ref); err != nil {
		return err
	}
	a.DefaultMethod = ref
	for _, s := range a.Subscriptions {
		if s.SetupKey == "" {
			continue
		}
		setup, err := a.Attempt(s.SetupKey)
		if err == nil && setup.Method == ref && !setup.IsOver() {
			continue
		}
		a.cancelSetup(&s)
		a.beginTrialSetup(&s, Source{Method: ref, ReturnTo: setup.ReturnTo})
		a.putSubscription(s)
	}
	return nil
}

// beginTrialSetup begins to save or authenticate the method that is charged after the trial. The caller stores the
// subscription.
func (a *Account) beginTrialSetup(s *AccountSubscription, src Source) {
	s.SetupKey = a.NewKey()
	a.beginSetup(SaveMethodRequest{Key: s.SetupKey, Source: src})
}

// RemoveMethod removes a saved method. When the payments with the method are complete, Outbox.RemovedMethods contains the
// method until ReportMethodDeleted is called. RemoveMethod returns NotFound if there is no such method.
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

// ReportMethodDeleted reports that a method no longer exists at the provider, and deletes it from the account.
func (a *Account) ReportMethodDeleted(ref string) {
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
	reported.TokenHash = attempt.TokenHash
	if !isNew {
		reported.Removed = a.Methods[i].Removed && !isEnteredByCustomer
		reported.TokenHash = cmp.Or(attempt.TokenHash, a.Methods[i].TokenHash)
	}
	a.putMethod(reported)
	if !attempt.KeepDefault && (isEnteredByCustomer || isNew && a.DefaultMethod == "") {
		a.clearSetup(attempt.Key)
		if attempt.State == AttemptOpen {
			a.cancelSetups() // the customer has authenticated this method
		}
		_ = a.SetDefaultMethod(reported.Ref) // no error: putMethod has saved the method
	}
}

// clearSetup records that the attempt no longer has to save or authenticate the method of a trial.
func (a *Account) clearSetup(key string) {
	for _, s := range a.Subscriptions {
		if s.SetupKey == key && key != "" {
			s.SetupKey = ""
			a.putSubscription(s)
		}
	}
}

// cancelSetups cancels the attempts to save or authenticate the methods of trials.
func (a *Account) cancelSetups() {
	for _, s := range a.Subscriptions {
		if s.SetupKey != "" {
			a.cancelSetup(&s)
			a.putSubscription(s)
		}
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
