package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
	"github.com/vc-admin/diy/ports/identity"
)

type userDetailWire struct {
	Now         int64        `json:"now"`
	ID          string       `json:"id"`
	OrgID       string       `json:"orgId"`
	FirstName   string       `json:"firstName"`
	LastName    string       `json:"lastName"`
	Email       string       `json:"email"`
	License     *licenseWire `json:"license"`
	PastLicense *licenseWire `json:"pastLicense"`

	OpenPayment       *openPaymentWire       `json:"openPayment"`
	ProcessingPayment *processingPaymentWire `json:"processing"`
	Order             *orderWire             `json:"order"`
	TrialUsed         bool                   `json:"trialUsed"`
	Trials            map[string]trialWire   `json:"trials"` // the trial with which a new subscription would begin, by plan
	Next              *nextActionWire        `json:"next"`
	Hold              *billing.Hold          `json:"hold"` // of the account
	DisputedAt        *time.Time             `json:"disputedAt,omitempty"`
	DisputeTimeZone   timezone.Zone          `json:"disputeTimeZone,omitempty"`
	MethodRefusal     string                 `json:"methodRefusal,omitempty"`

	PlanObstacles     map[string]planObstacleWire `json:"planObstacles,omitempty"` // by price
	UnreachableEmails []string                    `json:"unreachableEmails,omitempty"`

	Role          account.Role           `json:"role"`
	Organisations []userOrganisationWire `json:"organisations"`
	Owners        []string               `json:"owners,omitempty"` // the names, for other members
}

// userOrganisationWire is an organisation of which the user is a member.
type userOrganisationWire struct {
	ID   string       `json:"id"`
	Name string       `json:"name"`
	Role account.Role `json:"role"`
}

// planObstacleWire is the reason why a price can't be chosen now.
type planObstacleWire struct {
	Kind     billing.PlanObstacleKind `json:"kind"`
	Reason   string                   `json:"reason"`
	At       *time.Time               `json:"at"`
	TimeZone timezone.Zone            `json:"timeZone,omitempty"`
}

// orderWire is a purchase that waits for an operator's approval.
type orderWire struct {
	PriceID   string     `json:"priceId"`
	OrderedAt *time.Time `json:"since"`
	ExpiresAt *time.Time `json:"until"`
	Reason    string     `json:"reason"`
	Amount    *moneyWire `json:"amount,omitempty"`
	DueDays   int        `json:"dueDays,omitempty"`
}

type trialWire struct {
	Days   int       `json:"days"`
	EndsAt time.Time `json:"endsAt"`
}

type licenseWire struct {
	ID       string             `json:"id"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	IsDev    bool               `json:"isDev"`
	Raw      rawLicenseWire     `json:"raw"`

	Price         *licensePriceWire  `json:"price"`               // null for a developer or past license
	EndedAt       *time.Time         `json:"ended_at,omitempty"`  // of a past license
	EndCause      *billing.EndCause  `json:"end_cause,omitempty"` // of a past license
	PendingChange *pendingChangeWire `json:"pending_change"`
	subscriptionScheduleWire
}

// licensePriceWire contains the price that the organisation pays, in minor units. The price in the catalogue may have
// changed since the purchase.
type licensePriceWire struct {
	Amount   int64 `json:"amount"`   // of one period
	PerMonth int64 `json:"perMonth"` // of one month, rounded as in the catalogue
	Annual   int64 `json:"annual"`   // of twelve months
}

type rawLicenseWire struct {
	Status           billing.Status      `json:"status"`
	Currency         string              `json:"currency"`
	CurrentPeriodEnd *int64              `json:"current_period_end"`
	TrialEnd         *int64              `json:"trial_end"`
	Metadata         licenseMetadataWire `json:"metadata"`
}

type licenseMetadataWire struct {
	Name     string             `json:"name"`
	Interval catalogue.Interval `json:"interval"`
}

type userDetailResponseWire struct {
	Detail *userDetailWire `json:"detail"`
}

// describeUser responds with the signed-in user. To visitors it responds with {"detail": null} and not with an error, so
// that the pages of visitors have no failed request.
func (a *api) describeUser(w http.ResponseWriter, r *http.Request) error {
	caller, ok := a.Sessions.Current(r.Context())
	if !ok {
		return writeJSON(w, http.StatusOK, userDetailResponseWire{})
	}
	user, org, err := a.UseCases.DescribeUser.Do(r.Context(), caller)
	if fault.Is(err, fault.NotFound) { // the user was deleted after the session started
		return writeJSON(w, http.StatusOK, userDetailResponseWire{})
	}
	if err != nil {
		return err
	}
	detail := a.toUserDetailWire(user, org, a.Clock.Now())
	if detail.UnreachableEmails, err = a.UseCases.ListUnreachableEmails.Do(r.Context(), caller, user, org); err != nil {
		return err
	}
	memberships, err := a.UseCases.ListOrganisations.Do(r.Context(), caller, user, org)
	if err != nil {
		return err
	}
	detail.Role = caller.Role
	for _, m := range memberships {
		detail.Organisations = append(detail.Organisations, userOrganisationWire{m.OrganisationID, m.OrganisationName, m.Role})
	}
	if detail.Owners, err = a.ownersToAsk(r.Context(), caller); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, userDetailResponseWire{Detail: detail})
}

// ownersToAsk returns the names of the owners, whom a member asks to do what only owners may do. It returns none if the
// caller is an owner.
func (a *api) ownersToAsk(ctx context.Context, caller identity.Identity) ([]string, error) {
	if caller.Role.Allows(account.ManageMembers) {
		return nil, nil
	}
	team, err := a.UseCases.ListMembers.Do(ctx, caller)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, owner := range team.Owners() {
		names = append(names, owner.FullName())
	}
	return names, nil
}

func (a *api) toUserDetailWire(user account.User, org account.Organisation, now time.Time) *userDetailWire {
	detail := &userDetailWire{
		Now: now.Unix(),
		ID:  user.ID, OrgID: org.ID, FirstName: user.FirstName, LastName: user.LastName, Email: user.Email,
		License: toLicenseWire(org.Billing.License()), PastLicense: toLicenseWire(org.Billing.PastLicense()),
		OpenPayment:       toOpenPaymentWire(org.Billing.OpenPayment()),
		ProcessingPayment: toProcessingPaymentWire(org.Billing.ProcessingPayment()),
		Order:             toOrderWire(org.Billing.PendingOrder()),
		TrialUsed:         org.Billing.TrialUsed(), Trials: map[string]trialWire{},
		Next: toAccountNextActionWire(&org.Billing, now), Hold: toHoldWire(org.Billing.Hold()),
		DisputedAt: timestamp(org.Billing.DisputedAt), DisputeTimeZone: org.Billing.DisputeTimeZone,
		MethodRefusal: org.Billing.MethodRefusal(),
	}
	if end := org.Billing.LastEnd(); end != nil {
		detail.PastLicense.EndedAt = timestamp(end.At)
		if end.Cause != billing.CauseUnknown {
			detail.PastLicense.EndCause = &end.Cause
		}
	}
	for _, plan := range a.plans {
		if trial := billing.OfferTrial(&org.Billing, plan, now); trial.Days > 0 {
			detail.Trials[plan.ID] = trialWire(trial)
		}
	}
	detail.PlanObstacles = a.toPlanObstaclesWire(&org.Billing)
	if sub := org.Billing.LiveSubscription(); sub != nil && detail.License.ID == sub.ID {
		detail.License.Price, detail.License.PendingChange = toLicensePriceWire(*sub), toPendingChangeWire(sub.Pending)
		detail.License.subscriptionScheduleWire = toSubscriptionScheduleWire(*sub)
	}
	return detail
}

// toPlanObstaclesWire returns the obstacles by price id. Prices without an obstacle are omitted.
func (a *api) toPlanObstaclesWire(acc *billing.Account) map[string]planObstacleWire {
	obstacles := map[string]planObstacleWire{}
	for _, plan := range a.plans {
		for _, interval := range []catalogue.Interval{catalogue.Monthly, catalogue.Yearly} {
			price := catalogue.PriceRef{Product: plan.ID, Interval: interval, Currency: acc.Currency}
			if o := acc.PlanObstacle(price); o != nil && !plan.Disabled {
				obstacles[price.PriceID()] = planObstacleWire{Kind: o.Kind, Reason: o.Reason, At: timestamp(o.At), TimeZone: o.TimeZone}
			}
		}
	}
	return obstacles
}

func toOrderWire(o *billing.Order) *orderWire {
	if o == nil {
		return nil
	}
	wire := &orderWire{
		PriceID: o.Price.PriceID(), OrderedAt: timestamp(o.OrderedAt), ExpiresAt: timestamp(o.ExpiresAt), Reason: o.Reason,
		DueDays: o.InvoiceDays,
	}
	if o.Amount.Minor() > 0 {
		wire.Amount = new(toMoneyWire(o.Amount, o.Price.Currency))
	}
	return wire
}

func toLicenseWire(l *billing.License) *licenseWire {
	if l == nil {
		return nil
	}
	return &licenseWire{
		ID: l.ID, Interval: l.Price.Interval, Currency: l.Price.Currency, IsDev: l.IsDev,
		Raw: rawLicenseWire{
			Status: l.Status, Currency: l.Price.Currency,
			CurrentPeriodEnd: unixSeconds(l.CurrentPeriodEnd), TrialEnd: unixSeconds(l.TrialEnd),
			Metadata: licenseMetadataWire{Name: l.Price.Product, Interval: l.Price.Interval},
		},
	}
}

// toLicensePriceWire returns nil if the amount or the interval is unknown or a computed amount overflows.
func toLicensePriceWire(s billing.Subscription) *licensePriceWire {
	perMonth, monthErr := s.Price.Interval.PerMonth(s.Amount)
	annual, annualErr := s.Price.Interval.PerYear(s.Amount)
	if s.Amount == (money.Amount{}) || s.Price.Interval == "" || monthErr != nil || annualErr != nil {
		return nil
	}
	return &licensePriceWire{Amount: s.Amount.Minor(), PerMonth: perMonth.Minor(), Annual: annual.Minor()}
}

type orgWire struct {
	ID               string          `json:"id"`
	Name             string          `json:"name"`
	StripeCustomerID string          `json:"stripeCustomerId,omitempty"`
	BillingAddress   addressWire     `json:"billing_address"`
	Phone            string          `json:"phone"`
	TimeZone         timezone.Zone   `json:"timeZone,omitempty"`
	Metadata         orgMetadataWire `json:"metadata"`
}

// orgMetadataWire contains the choices that the user made before the registration.
type orgMetadataWire struct {
	Currency string             `json:"currency,omitempty"`
	Product  string             `json:"product,omitempty"`
	Interval catalogue.Interval `json:"interval,omitempty"`
}

func (a *api) showOrganisation(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
	org, err := a.UseCases.ShowOrganisation.Do(r.Context(), caller, chi.URLParam(r, "orgId"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, toOrgWire(org))
}

func toOrgWire(org account.Organisation) orgWire {
	return orgWire{
		ID: org.ID, Name: org.Name, StripeCustomerID: org.Billing.CustomerID,
		BillingAddress: toAddressWire(org.Address), Phone: org.Phone, TimeZone: org.TimeZone(),
		Metadata: orgMetadataWire{Currency: org.Currency, Product: org.Choice.Product, Interval: org.Choice.Interval},
	}
}
