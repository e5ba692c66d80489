package account

import (
	"cmp"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/timezone"
)

// Organisation is a customer of the product, such as a practice, a clinic or a single clinician.
type Organisation struct {
	ID           string
	Name         string // unique by NameKey among organisations with a verified user
	ContactEmail string // for receipts: the address of the owner who joined first
	// MemberEmails contains the addresses of the members who receive emails about billing. storage.Teams sets it.
	MemberEmails []string
	Phone        string
	Address      Address // the billing address
	Currency     string  // chosen at registration, upper case; "" if none was chosen
	Choice       Choice  // the plan chosen at registration
	CreatedAt    time.Time
	Billing      billing.Account
	// Details contains the edited billing details; nil until they are edited for the first time.
	Details *BillingDetails
	// DetailsSentTo is the customer at the payment provider that has the Details; "" for none.
	DetailsSentTo string
	// SentContactEmail is the ContactEmail that the customer at the payment provider got last; "" before the first one.
	SentContactEmail string
}

// BillingDetails returns the addressee of invoices: the edited details, or those of the registration.
func (o *Organisation) BillingDetails() BillingDetails {
	if o.Details != nil {
		return *o.Details
	}
	return BillingDetails{LegalName: o.Name, Phone: o.Phone, Address: o.Address}
}

// BillingRecipients returns the addresses that receive emails about billing: those of the owners and the members for
// billing, and the confirmed billing email if it differs from all of them.
func (o *Organisation) BillingRecipients() []string {
	var recipients []string
	isListed := map[string]bool{"": true}
	for _, email := range slices.Concat([]string{o.ContactEmail}, o.MemberEmails, []string{o.BillingDetails().BillingEmail}) {
		if key := EmailKey(email); !isListed[key] {
			isListed[key] = true
			recipients = append(recipients, email)
		}
	}
	return recipients
}

// GetsPDF reports whether emails about an invoice to the address contain the invoice as a PDF. The confirmed billing email
// gets it, unless the organisation has turned it off: its owner may be an accountant who can't sign in. The other addresses
// are those of members, who can download every invoice.
func (o *Organisation) GetsPDF(address string) bool {
	details := o.BillingDetails()
	return details.BillingEmail != "" && EmailKey(address) == details.BillingEmail && !details.OmitPDF
}

// ConfirmableEmails returns the keys of the addresses that a link in an email can confirm. These are the addresses that
// receive emails about billing, and an unconfirmed billing email.
func (o *Organisation) ConfirmableEmails() []string {
	var addresses []string
	for _, address := range o.BillingRecipients() {
		addresses = append(addresses, EmailKey(address))
	}
	if unconfirmedEmail := o.BillingDetails().UnconfirmedEmail; unconfirmedEmail != "" {
		addresses = append(addresses, unconfirmedEmail)
	}
	return addresses
}

// TimeZone returns the time zone in which the organisation reads its dates. It follows the address in the billing
// details. An invoice keeps its own zone, see billing.Invoice.
func (o *Organisation) TimeZone() timezone.Zone { return o.BillingDetails().Address.TimeZone() }

// EditDetails returns the billing details after an edit, normalised, or an error with a message for each invalid field.
// edit gets the billing email that was entered last, confirmed or not. A new billing email is unconfirmed. Only the
// address of the user who registered is confirmed immediately, because it is verified.
func (o *Organisation) EditDetails(edit func(*BillingDetails)) (BillingDetails, error) {
	d := o.BillingDetails()
	confirmedEmail := d.BillingEmail
	d.BillingEmail = cmp.Or(d.UnconfirmedEmail, d.BillingEmail)
	edit(&d)
	d = d.Normalise()
	err := d.Validate()
	d.UnconfirmedEmail = ""
	if email := d.BillingEmail; email != "" && email != confirmedEmail && email != EmailKey(o.ContactEmail) {
		d.BillingEmail, d.UnconfirmedEmail = confirmedEmail, email
	}
	return d, err
}

// SetDetails stores edited billing details. customerID is the customer at the payment provider that has received them,
// "" for none. An edit never changes which billing email is confirmed, except to none or to the address of the user who
// registered. If another email was confirmed after the edit was decided, it stays the billing email until the email of
// the edit is confirmed, and must still be sent to the customer. SetDetails raises the revision of the account, so that
// an edit based on an earlier revision is decided again.
func (o *Organisation) SetDetails(details BillingDetails, customerID string) {
	confirmedEmail := o.BillingDetails().BillingEmail
	sentEmail := details.BillingEmail
	email := cmp.Or(details.UnconfirmedEmail, details.BillingEmail)
	switch email {
	case "", EmailKey(o.ContactEmail):
	case confirmedEmail:
		details.BillingEmail, details.UnconfirmedEmail = email, ""
	default:
		details.BillingEmail, details.UnconfirmedEmail = confirmedEmail, email
	}
	if details.BillingEmail != sentEmail {
		customerID = ""
	}
	o.storeDetails(details, customerID)
}

func (o *Organisation) storeDetails(details BillingDetails, customerID string) {
	o.Details, o.DetailsSentTo = &details, customerID
	o.Billing.Revision++
}

// ImportDetails stores details that were corrected at the payment provider, which has them already. The billing emails
// and their settings stay.
func (o *Organisation) ImportDetails(details BillingDetails) {
	current := o.BillingDetails()
	details.BillingEmail, details.UnconfirmedEmail = current.BillingEmail, current.UnconfirmedEmail
	details.OmitPDF = current.OmitPDF
	o.storeDetails(details, o.Billing.CustomerID)
}

// ConfirmBillingEmail makes the email the billing email if it is the unconfirmed one. It reports whether the email is the
// billing email now, so a second call changes nothing and has the same result.
func (o *Organisation) ConfirmBillingEmail(email string) bool {
	details := o.BillingDetails()
	if email != "" && email == details.UnconfirmedEmail {
		details.BillingEmail, details.UnconfirmedEmail = email, ""
		o.storeDetails(details, "")
	}
	return email != "" && email == details.BillingEmail
}

// UnsentContactEmail returns the ContactEmail if it must be sent to the customer at the provider, because it has changed
// since it was sent last, and "" otherwise.
func (o *Organisation) UnsentContactEmail() string {
	if o.Billing.CustomerID == "" || o.SentContactEmail == "" || o.SentContactEmail == o.ContactEmail {
		return ""
	}
	return o.ContactEmail
}

// NeedsCustomerUpdate reports whether edited details or a new ContactEmail must be sent to the customer at the provider.
func (o *Organisation) NeedsCustomerUpdate() bool {
	return o.HasUnsentDetails() || o.UnsentContactEmail() != ""
}

// HasUnsentDetails reports whether the edited details must still be sent to the customer at the provider. It returns true
// if the details were edited before the customer was created, or if the billing email was confirmed since.
func (o *Organisation) HasUnsentDetails() bool {
	return o.Details != nil && o.Billing.CustomerID != "" && o.DetailsSentTo != o.Billing.CustomerID
}

// Address is a postal address. City and PostalCode are the form's fields district and pincode.
type Address struct {
	Line1      string `json:"line1"`
	Line2      string `json:"line2"` // may be empty
	City       string `json:"city"`
	State      string `json:"state"`
	PostalCode string `json:"postal_code"`
	Country    string `json:"country"` // ISO 3166 alpha-2, upper case
}

// TimeZone returns the time zone of the country and state.
func (a Address) TimeZone() timezone.Zone { return timezone.ForAddress(a.Country, a.State) }

// Choice is the plan that a visitor chose before registering. The zero value means none; otherwise
// both fields are set.
type Choice struct {
	Product  string
	Interval catalogue.Interval
}

// IsZero reports whether nothing was chosen.
func (c Choice) IsZero() bool { return c == Choice{} }
