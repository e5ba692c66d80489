package httpapi

import (
	"net/http"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
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

	OpenPayment *openPaymentWire `json:"openPayment"`
}

type licenseWire struct {
	ID       string             `json:"id"`
	Interval catalogue.Interval `json:"interval"`
	Currency string             `json:"currency"`
	IsDev    bool               `json:"isDev"`
	Raw      rawLicenseWire     `json:"raw"`

	PendingChange *pendingChangeWire `json:"pending_change"`
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

type detailAnswer struct {
	Detail *userDetailWire `json:"detail"`
}

// userDetail tells a visitor that nobody is signed in with a plain answer: a signed-out page has
// no failed request.
func (a *api) userDetail(w http.ResponseWriter, r *http.Request) error {
	a.XSRF.Ensure(w, r)
	who, ok := a.Sessions.Current(r.Context())
	if !ok {
		return reply(w, http.StatusOK, detailAnswer{})
	}
	user, org, err := a.UseCases.DescribeUser.Do(r.Context(), who)
	if fault.Is(err, fault.NotFound) { // the session outlived its user
		return reply(w, http.StatusOK, detailAnswer{})
	}
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, detailAnswer{Detail: toUserDetailWire(user, org, a.Clock.Now())})
}

func toUserDetailWire(user account.User, org account.Organisation, now time.Time) *userDetailWire {
	detail := &userDetailWire{
		Now: now.Unix(),
		ID:  user.ID, OrgID: org.ID, FirstName: user.FirstName, LastName: user.LastName, Email: user.Email,
		License: toLicenseWire(org.Billing.License()), PastLicense: toLicenseWire(org.Billing.PastLicense()),
		OpenPayment: toOpenPaymentWire(org.Billing.OpenPayment()),
	}
	if live := org.Billing.Live(); live != nil && detail.License.ID == live.ID {
		detail.License.PendingChange = toPendingChangeWire(live.Pending)
	}
	return detail
}

func toLicenseWire(l *billing.License) *licenseWire {
	if l == nil {
		return nil
	}
	return &licenseWire{
		ID: l.ID, Interval: l.Price.Interval, Currency: l.Price.Currency, IsDev: l.IsDev,
		Raw: rawLicenseWire{
			Status: l.Status, Currency: l.Price.Currency,
			CurrentPeriodEnd: seconds(l.CurrentPeriodEnd), TrialEnd: seconds(l.TrialEnd),
			Metadata: licenseMetadataWire{Name: l.Price.Product, Interval: l.Price.Interval},
		},
	}
}

// seconds is an instant on the wire; nil for one that there isn't.
func seconds(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	unix := t.Unix()
	return &unix
}
