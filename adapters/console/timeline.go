package console

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// kindTexts contains the text of an entry of each kind. The text of an unknown kind, of a newer server, is its name.
var kindTexts = map[audit.Kind]string{
	audit.SignedUp: "Signed up", audit.EmailVerified: "Email verified", audit.RegistrationDeleted: "Registration deleted",
	audit.SignIn: "Signed in", audit.SignInsRefused: "Sign-ins refused", audit.SignedOut: "Signed out", audit.SessionEnded: "Session ended",
	audit.SignedOutEverywhere: "Signed out everywhere", audit.ProfileChanged: "Profile changed", audit.EmailChanged: "Email changed",
	audit.EmailChangeRequested: "Change of the email requested", audit.EmailChangeCanceled: "Change of the email cancelled",
	audit.ChangesUndone: "Changes undone", audit.PasswordChanged: "Password changed",
	audit.TwoStepOn: "Two-step verification turned on", audit.TwoStepOff: "Two-step verification turned off",
	audit.AppAdded:             "Authenticator app added",
	audit.RecoveryCodesRenewed: "Recovery codes renewed", audit.RecoveryCodeUsed: "Recovery code used", audit.PasskeyAdded: "Passkey added",
	audit.PasskeyRenamed: "Passkey renamed", audit.PasskeyRemoved: "Passkey removed",
	audit.MemberInvited: "Member invited", audit.InvitationDeleted: "Invitation revoked", audit.MemberJoined: "Member joined",
	audit.MemberRoleChanged: "Role changed", audit.MemberRemoved: "Member removed",
	audit.OrganisationRenamed: "Organisation renamed", audit.BillingDetailsChanged: "Billing details changed",
	audit.BillingEmailEntered: "Billing email entered", audit.BillingEmailChanged: "Billing email changed",
	audit.TransferReported: "Transfer reported", audit.DeveloperLicenseGranted: "Developer license granted",
	audit.DeveloperLicenseEnded: "Developer license ended", audit.OrganisationExported: "Data of the organisation exported",
	audit.ErasureRequested: "Erasure requested", audit.ErasureWithdrawn: "Erasure withdrawn", audit.OrganisationErased: "Organisation erased",
	audit.PlanStarted: "Plan started", audit.PlanStatusChanged: "State of the plan", audit.PlanChanged: "Plan changed",
	audit.PlanChangePending: "Plan change waits for its payment", audit.PlanChangeScheduled: "Plan change scheduled",
	audit.PlanChangeDropped: "Plan change dropped", audit.PlanEnding: "Plan will end", audit.PlanResumed: "Plan resumed",
	audit.HoldChanged: "Hold", audit.InvoiceIssued: "Invoice issued", audit.InvoiceStatusChanged: "State of the invoice",
	audit.PaymentReceived: "Payment received", audit.PaymentFailed: "Payment failed", audit.PaymentRefunded: "Payment refunded",
	audit.RefundFailed: "Refund failed", audit.PaymentCredited: "Payment turned into credit", audit.PaymentReturned: "Payment returned by the bank",
	audit.DisputeChanged: "Dispute", audit.OperationBegun: "Request to the payment provider began",
	audit.OperationSettled: "Request to the payment provider ended", audit.EmailFinished: "Email",
	audit.OperatorEndedSessions: "Sessions ended", audit.OperatorResetTwoStep: "Two-step verification reset",
	audit.OperatorRemovedPasskeys: "Passkeys removed", audit.OperatorLiftedHold: "Hold lifted", audit.OperatorExported: "Audit log exported",
	audit.OperatorExtendedTrial: "Trial extended", audit.OperatorEndedPlan: "Plan ended for the customer",
	audit.OperatorRefunded: "Refund requested", audit.OperatorGrantedMonth: "Free month added",
	audit.OperatorGrantedLicense: "Developer license granted by an operator", audit.OperatorEndedLicense: "Developer license ended by an operator",
	audit.OperatorRecordedPayment: "Transfer recorded", audit.OperatorRecordedRefund: "Returned transfer recorded",
	audit.OperatorReversedTransfer: "Record of a transfer reversed", audit.OperatorVoidedInvoice: "Invoice voided",
	audit.OperatorAllowedInvoices: "Payment by invoice approved",
	audit.OperatorSentCode:        "Code for the caller sent", audit.OperatorCheckedCaller: "Caller verified",
	audit.OperatorResentEmail: "Email sent again",
	audit.OperatorReadAgain:   "Read from the payment provider", audit.OperatorViewed: "Viewed",
	audit.OperatorViewedKeptInvoice: "Kept invoice viewed",
}

// event is an entry of the audit log as a line of a timeline.
type event struct {
	audit.Entry
	Time, Text, By, Amount, Details string
	Class                           string // "good", "bad", "operator" or ""
}

// day contains the events of a day.
type day struct {
	Date   string
	Events []event
}

// names contains the names of actors by the ids of users.
type names map[string]string

func newNames(team account.Team) names {
	n := names{}
	for _, m := range team.Members {
		n[m.UserID] = m.FullName()
	}
	return n
}

// of returns the name of an actor.
func (n names) of(a audit.Actor) string {
	switch a.Kind {
	case audit.UserActor:
		if name := n[a.ID]; name != "" {
			return name
		}
		return "user " + a.ID
	case audit.OperatorActor:
		return a.ID
	case audit.ProviderActor:
		return "reported by the payment provider"
	case audit.SystemActor:
		return "background work"
	case audit.VisitorActor:
		return "visitor"
	}
	return string(a.Kind)
}

// newEvent describes an entry, with its time in the zone.
func newEvent(e audit.Entry, n names, zone timezone.Zone) event {
	v := event{Entry: e, Time: zone.In(e.At).Format("15:04"), Text: kindTexts[e.Kind], By: n.of(e.Actor), Amount: describeValue(e.Data["amount"])}
	if v.Text == "" {
		v.Text = words(e.Kind)
	}
	switch {
	case e.Kind == audit.EmailFinished && e.Outcome == audit.Done:
		v.Text = strings.TrimSpace("Email "+words(e.Data["notice"])) + " accepted by the mail server"
	case e.Kind == audit.EmailFinished:
		v.Text = strings.TrimSpace("Email "+words(e.Data["notice"])) + " not sent"
	case e.Kind == audit.OperatorCheckedCaller && e.Outcome != audit.Done:
		v.Text = "Caller not verified: wrong code"
	case e.Outcome != audit.Done:
		v.Text += ": " + string(e.Outcome)
	}
	for _, key := range slices.Sorted(maps.Keys(e.Data)) {
		if key != "amount" {
			v.Details += ", " + words(key) + " " + describeValue(e.Data[key])
		}
	}
	v.Details, v.Class = strings.TrimPrefix(v.Details, ", "), styleClass(e)
	return v
}

// styleClass returns the class of the style sheet for the entry, or "".
func styleClass(e audit.Entry) string {
	failedKinds := []audit.Kind{audit.PaymentFailed, audit.RefundFailed, audit.PaymentReturned}
	switch {
	case e.Actor.Kind == audit.OperatorActor:
		return "operator"
	case e.Outcome == audit.Failed, e.Outcome == audit.Refused, slices.Contains(failedKinds, e.Kind):
		return "bad"
	case e.Kind == audit.PaymentReceived, e.Kind == audit.PlanStarted:
		return "good"
	}
	return ""
}

// describeValue formats an amount, which an entry contains in minor units, for operators. It returns other values
// unchanged.
func describeValue(value string) string {
	number, currency, _ := strings.Cut(value, " ")
	minor, err := strconv.ParseInt(number, 10, 64)
	if err != nil || currency == "" {
		return value
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		return value
	}
	return amount.FormatWithSymbolAndCode()
}

// newDays groups the entries by their days in the zone.
func newDays(entries []audit.Entry, n names, zone timezone.Zone, now time.Time) (days []day) {
	for _, e := range entries {
		date := zone.In(e.At).Format("Monday 2 January 2006")
		if zone.Date(e.At) == zone.Date(now) {
			date = "Today, " + date
		}
		if len(days) == 0 || days[len(days)-1].Date != date {
			days = append(days, day{Date: date})
		}
		last := &days[len(days)-1]
		last.Events = append(last.Events, newEvent(e, n, zone))
	}
	return days
}
