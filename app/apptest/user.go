package apptest

import (
	"context"
	"regexp"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// Card numbers of the fake provider. Its package documentation lists all of them.
const (
	Visa                = "4242424242424242" // every charge succeeds
	Mastercard          = "5555555555554444" // every charge succeeds
	AuthenticationCard  = "4000002500003155" // the card holder has to authenticate once
	DeclinedCard        = "4000000000000002" // can't be saved
	DeclinedChargesCard = "4000000000000341" // can be saved, but every charge is declined
	PaysOnceCard        = "4000000000001000" // the first charge succeeds, every later one is declined

	SettlingAccount  = "6000000000056819" // a bank account; payments arrive after three days
	FailingAccount   = "6000000000059110" // a bank account; payments fail after three days
	ReturningAccount = "6000000000094406" // a bank account; the bank returns payments ten days after they were made
)

// Prices of the catalogue in Australian dollars.
var (
	StandardMonthly    = app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"}
	StandardYearly     = app.PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"}
	ProfessionalYearly = app.PriceChoice{PriceID: "professional_yearly", Interval: "yearly", Currency: "AUD"}
)

// User is a verified user of an organisation. Pass the embedded Identity to use cases.
type User struct {
	identity.Identity
	env *Env
}

// Registration returns valid input for the SignUp use case. The email address is name@example.com and
// the organisation is called "Practice of " and the name, which must be in lower case.
func Registration(name string) account.Registration {
	return account.Registration{
		FirstName: "Ann", LastName: "Lee", Org: "Practice of " + name, Email: name + "@example.com", Password: "Tide-And-Time-7",
		Phone: "+61 2 9000 0000", Currency: "AUD",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	}
}

// SignUp registers the organisation of Registration(name) and verifies its user.
func (e *Env) SignUp(name string) *User {
	e.t.Helper()
	return e.SignUpOnServer(e.App, name)
}

// SignUpOnServer does the same as SignUp with the use cases of the server instead of Env.App.
func (e *Env) SignUpOnServer(server *app.UseCases, name string) *User {
	e.t.Helper()
	user, err := server.SignUp.Do(e.t.Context(), Registration(name), nil)
	require.NoError(e.t, err)
	e.Verify(server, user.Email)
	return e.User(identity.Identity{
		UserID: user.ID, OrganisationID: user.OrganisationID, Role: account.Owner, AuthenticatedAt: e.Clock.Now(),
	})
}

// User returns the user with the identity.
func (e *Env) User(id identity.Identity) *User { return &User{Identity: id, env: e} }

// Verify follows the link of the newest verification email to an address, in the browser that
// registered.
func (e *Env) Verify(server *app.UseCases, email string) {
	e.t.Helper()
	_, _, err := server.VerifyEmail.Do(e.t.Context(), e.VerificationToken(email), func(account.User) bool { return true })
	require.NoError(e.t, err)
}

var (
	verificationLink = regexp.MustCompile(`/vc-admin/auth/verify\?token=(\w+)`)
	invitationLink   = regexp.MustCompile(`/vc-admin/auth/invitation\?token=(\w+)`)
)

// VerificationToken delivers all queued emails and returns the token of the newest verification email to
// an address.
func (e *Env) VerificationToken(email string) string {
	e.t.Helper()
	return e.newestToken(email, verificationLink)
}

// InvitationToken delivers all queued emails and returns the token of the newest invitation to an address.
func (e *Env) InvitationToken(email string) string {
	e.t.Helper()
	return e.newestToken(email, invitationLink)
}

func (e *Env) newestToken(email string, link *regexp.Regexp) string {
	e.t.Helper()
	e.DeliverEmails(e.NewApp(e.Store, e.Provider))
	for _, message := range e.Mailbox.Emails() {
		if match := link.FindStringSubmatch(message.Text); message.To == email && match != nil {
			return match[1]
		}
	}
	require.Fail(e.t, "no email with a link", email)
	return ""
}

// Member invites name@example.com to the owner's organisation, and accepts the invitation as a new person whose names are
// "Sam" and the name. The browser session stays as it is.
func (e *Env) Member(owner *User, name string, role account.Role) *User {
	e.t.Helper()
	inviter := owner.Identity
	inviter.AuthenticatedAt = e.Clock.Now()
	require.NoError(e.t, e.App.InviteMember.Do(e.t.Context(), inviter, name+"@example.com", role))
	token := e.InvitationToken(name + "@example.com")

	session := *e.Session
	defer func() { *e.Session = session }()
	require.NoError(e.t, e.Session.End(e.t.Context()))
	_, err := e.App.AcceptInvitation.Do(e.t.Context(), token, members.NewPerson{
		FirstName: "Sam", LastName: name, Password: Registration(name).Password,
	})
	require.NoError(e.t, err)
	caller, _ := e.Session.Current(e.t.Context())
	return e.User(caller)
}

// DeliverEmails processes all email requests and delivers the emails that are due to the mailbox, as the background
// workers of the server do.
func (e *Env) DeliverEmails(server *app.UseCases) {
	e.t.Helper()
	_, err := server.SendRequestedEmails.Do(e.t.Context())
	require.NoError(e.t, err)
	_, err = server.DeliverMail.Do(e.t.Context())
	require.NoError(e.t, err)
}

// CreateCard creates a payment method at the provider, as the card form in a browser does, and returns
// its id.
func (e *Env) CreateCard(number string) string {
	e.t.Helper()
	card, err := e.Provider.CreatePaymentMethod(e.t.Context(), fakepayment.CardEntry{
		Number: number, ExpMonth: 12, ExpYear: 2040, CVC: "123",
	})
	require.NoError(e.t, err)
	return card.ID
}

// Subscribe subscribes with a new card. The first subscription starts with a trial.
func (u *User) Subscribe(cardNumber string, price app.PriceChoice) billing.Subscription {
	u.env.t.Helper()
	return u.subscribe(app.SubscribeRequest{MethodID: u.env.CreateCard(cardNumber), Price: price})
}

// SubscribeWithoutTrial subscribes with a new card, which is charged immediately.
func (u *User) SubscribeWithoutTrial(cardNumber string, price app.PriceChoice) billing.Subscription {
	u.env.t.Helper()
	return u.subscribe(app.SubscribeRequest{MethodID: u.env.CreateCard(cardNumber), Price: price, NoTrial: true})
}

func (u *User) subscribe(req app.SubscribeRequest) billing.Subscription {
	u.env.t.Helper()
	sub, err := u.env.App.Subscribe.Do(u.env.t.Context(), u.Identity, req)
	require.NoError(u.env.t, err)
	return sub
}

// AddCard saves a new card, which becomes the default card.
func (u *User) AddCard(number string) billing.PaymentMethod {
	u.env.t.Helper()
	result, err := u.env.App.AddCard.Do(u.env.t.Context(), u.Identity, u.env.CreateCard(number))
	require.NoError(u.env.t, err)
	return result.PaymentMethod
}

// Pay makes the open payment with a new card, which becomes the default card unless it is declined. With cardNumber "" it
// pays with the default card. A declined charge does not fail the test. If the open payment is the authentication of a
// trial's card, Pay starts it, and Env.Confirm completes it.
func (u *User) Pay(cardNumber string) billing.Subscription {
	u.env.t.Helper()
	_, org, err := u.env.App.DescribeUser.Do(u.env.t.Context(), u.Identity)
	require.NoError(u.env.t, err)
	openPayment := org.Billing.OpenPayment()
	require.NotNil(u.env.t, openPayment, "there is nothing to pay")
	req := app.PayRequest{
		InvoiceID: openPayment.InvoiceID, Amount: openPayment.Amount.Minor(), MakeDefault: true,
		Setup: openPayment.Kind == billing.Authentication,
	}
	if cardNumber != "" {
		req.MethodID = u.env.CreateCard(cardNumber)
	}
	sub, err := u.env.App.PayOpenInvoice.Do(u.env.t.Context(), u.Identity, req)
	require.NoError(u.env.t, err)
	return sub
}

// End ends the subscription immediately if a payment is overdue, and otherwise when its period or trial ends.
func (u *User) End() billing.Subscription {
	u.env.t.Helper()
	sub, err := u.env.App.EndSubscription.Do(u.env.t.Context(), u.Identity, app.EndRequest{})
	require.NoError(u.env.t, err)
	return sub
}

// Resume renews a subscription that is ending.
func (u *User) Resume() billing.Subscription {
	u.env.t.Helper()
	sub, err := u.env.App.ResumeSubscription.Do(u.env.t.Context(), u.Identity)
	require.NoError(u.env.t, err)
	return sub
}

// License returns the license that the user is shown, or nil.
func (u *User) License() *billing.License {
	u.env.t.Helper()
	_, org, err := u.env.App.DescribeUser.Do(u.env.t.Context(), u.Identity)
	require.NoError(u.env.t, err)
	return org.Billing.License()
}

// LicenseStatus returns the status of the license that the user is shown, or "".
func (u *User) LicenseStatus() billing.Status {
	u.env.t.Helper()
	if license := u.License(); license != nil {
		return license.Status
	}
	return ""
}

// Organisation returns the stored organisation. It does not call the provider.
func (u *User) Organisation() account.Organisation {
	u.env.t.Helper()
	org, err := u.env.Store.Organisation(u.env.t.Context(), u.OrganisationID)
	require.NoError(u.env.t, err)
	return org
}

// Account returns the stored copy of the organisation's billing data.
func (u *User) Account() *billing.Account {
	u.env.t.Helper()
	org := u.Organisation()
	return &org.Billing
}

// Customer returns the organisation's customer at the provider, with its credit and hold.
func (u *User) Customer() billing.Customer {
	u.env.t.Helper()
	c, err := u.env.Provider.Customer(u.env.t.Context(), u.Account().CustomerID)
	require.NoError(u.env.t, err)
	return c
}

// Session is a browser session in memory. It implements identity.Sessions. As in the database, the session ends with the
// membership of its user, and has the current role.
type Session struct {
	store   storage.Memberships
	user    identity.Identity
	methods []identity.Method
}

// sessionID identifies the only session.
const sessionID = "session"

// Start signs a user in. It returns NotFound if the user is not a member of the organisation.
func (s *Session) Start(ctx context.Context, user identity.Identity, methods ...identity.Method) error {
	user.SessionID = sessionID
	s.user, s.methods = user, methods
	return s.Switch(ctx, user.OrganisationID)
}

// Switch changes the organisation of the session.
func (s *Session) Switch(ctx context.Context, organisationID string) error {
	memberships, err := s.store.Memberships(ctx, s.user.UserID)
	if err != nil {
		return err
	}
	for _, m := range memberships {
		if m.OrganisationID == organisationID {
			s.user.OrganisationID, s.user.Role = m.OrganisationID, m.Role
			return nil
		}
	}
	return fault.New(fault.NotFound, "There is no such membership")
}

// Current returns the user who is signed in, if any.
func (s *Session) Current(ctx context.Context) (identity.Identity, bool) {
	if s.user.SessionID == "" || s.Switch(ctx, s.user.OrganisationID) != nil {
		return identity.Identity{}, false
	}
	return s.user, true
}

// End signs the user out.
func (s *Session) End(context.Context) error {
	s.user, s.methods = identity.Identity{}, nil
	return nil
}

// List returns the session if a user is signed in.
func (s *Session) List(context.Context) ([]identity.Session, error) {
	if s.user.SessionID == "" {
		return nil, nil
	}
	return []identity.Session{{
		ID: sessionID, OrganisationID: s.user.OrganisationID, Methods: s.methods, AuthenticatedAt: s.user.AuthenticatedAt,
		CreatedAt: s.user.AuthenticatedAt, LastUsedAt: s.user.AuthenticatedAt, IsCurrent: true,
	}}, nil
}

// EndByID ends the session if it has the id.
func (s *Session) EndByID(ctx context.Context, id string) error {
	if s.user.SessionID != id || id == "" {
		return fault.New(fault.NotFound, "There is no such session")
	}
	return s.End(ctx)
}

// EndOthers does nothing, because there are no others.
func (s *Session) EndOthers(context.Context) error { return nil }

// plainPasswords implements identity.Passwords without hashing.
type plainPasswords struct{}

// IsCommon returns false, so that tests can use any password.
func (plainPasswords) IsCommon(string) bool { return false }

// Hash returns the password.
func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

// Verify compares the passwords. An empty hash matches no password.
func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash && hash != "", nil
}

// Charge is a successful payment at the provider.
type Charge struct {
	SubscriptionID string
	InvoiceID      string
	MethodID       string
	Amount         int64 // in the currency's minor unit
	Currency       string
	InvoicedAt     time.Time
}

// Charges returns the organisation's successful payments, oldest first. Invoices of 0, such as that of a trial, have no
// payment.
func (u *User) Charges() []Charge {
	u.env.t.Helper()
	if p, ok := u.env.Provider.(*gatewayProvider); ok {
		return p.charges(u.env, u.OrganisationID)
	}
	var charges []Charge
	require.NoError(u.env.t, u.env.FakeProvider().Read(u.env.t.Context(), func(s fakepayment.Snapshot) error {
		for _, customer := range s.Customers() {
			if customer.OrganisationID == u.OrganisationID {
				charges = append(newCharges(s, s.CustomerInvoices(customer.ID)), charges...)
			}
		}
		return nil
	}))
	return charges
}

// newCharges returns the charges of the invoices, oldest first. The invoices are sorted newest first.
func newCharges(s fakepayment.Snapshot, invoices []fakepayment.InvoiceRecord) []Charge {
	var charges []Charge
	for _, inv := range invoices {
		payment, ok := s.Intent(inv.PaymentID)
		if !ok || payment.Status != billing.Succeeded {
			continue
		}
		charges = append([]Charge{{
			SubscriptionID: inv.SubscriptionID, InvoiceID: inv.ID, MethodID: payment.CardID,
			Amount: payment.Amount, Currency: payment.Currency, InvoicedAt: inv.Created,
		}}, charges...)
	}
	return charges
}
