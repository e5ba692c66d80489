package audit

import (
	"maps"
	"slices"
)

// Kind is what an entry reports.
type Kind string

// The kinds about registrations and sign-ins.
const (
	SignedUp            Kind = "user.signed_up"
	EmailVerified       Kind = "user.email_verified"
	RegistrationDeleted Kind = "user.registration_deleted"
	SignIn              Kind = "user.sign_in"
	SignInsRefused      Kind = "user.sign_ins_refused" // wrong passwords and refused passkeys of one network; see "count"
	SignedOut           Kind = "user.signed_out"
	SessionEnded        Kind = "user.session_ended" // from another session, or by a change of the credentials
	SignedOutEverywhere Kind = "user.signed_out_everywhere"
)

// The kinds about the account of a user.
const (
	ProfileChanged       Kind = "user.profile_changed"
	EmailChanged         Kind = "user.email_changed"
	EmailChangeRequested Kind = "user.email_change_requested"
	EmailChangeCanceled  Kind = "user.email_change_canceled"
	ChangesUndone        Kind = "user.changes_undone" // by the link in an email about them
	PasswordChanged      Kind = "user.password_changed"
	TwoStepOn            Kind = "user.two_step_on"
	TwoStepOff           Kind = "user.two_step_off"
	AppAdded             Kind = "user.app_added" // an authenticator app, to two-step verification that is on
	RecoveryCodesRenewed Kind = "user.recovery_codes_renewed"
	RecoveryCodeUsed     Kind = "user.recovery_code_used"
	PasskeyAdded         Kind = "user.passkey_added"
	PasskeyRenamed       Kind = "user.passkey_renamed" //nolint:gosec // not a credential
	PasskeyRemoved       Kind = "user.passkey_removed" //nolint:gosec // not a credential
)

// The kinds about members.
const (
	MemberInvited     Kind = "member.invited"
	InvitationDeleted Kind = "member.invitation_deleted"
	MemberJoined      Kind = "member.joined"
	MemberRoleChanged Kind = "member.role_changed"
	MemberRemoved     Kind = "member.removed"
)

// The kinds about an organisation and its billing.
const (
	OrganisationRenamed     Kind = "organisation.renamed"
	BillingDetailsChanged   Kind = "organisation.billing_details_changed"
	BillingEmailEntered     Kind = "organisation.billing_email_entered"
	BillingEmailChanged     Kind = "organisation.billing_email_changed"
	TransferReported        Kind = "organisation.transfer_reported"
	DeveloperLicenseGranted Kind = "organisation.developer_license_granted"
	DeveloperLicenseEnded   Kind = "organisation.developer_license_ended"
	OrganisationExported    Kind = "organisation.exported" // all data, by an owner or an operator
	ErasureRequested        Kind = "organisation.erasure_requested"
	ErasureWithdrawn        Kind = "organisation.erasure_withdrawn"
	OrganisationErased      Kind = "organisation.erased"
)

// The kinds about plans and payments, as the provider reports them. Amounts are in minor units with their currency.
const (
	PlanStarted          Kind = "plan.started"
	PlanStatusChanged    Kind = "plan.status_changed"
	PlanChanged          Kind = "plan.changed"
	PlanChangePending    Kind = "plan.change_pending" // until its invoice is paid
	PlanChangeScheduled  Kind = "plan.change_scheduled"
	PlanChangeDropped    Kind = "plan.change_dropped"
	PlanEnding           Kind = "plan.ending"
	PlanResumed          Kind = "plan.resumed"
	HoldChanged          Kind = "plan.hold_changed"
	InvoiceIssued        Kind = "invoice.issued"
	InvoiceStatusChanged Kind = "invoice.status_changed"
	PaymentReceived      Kind = "payment.received"
	PaymentFailed        Kind = "payment.failed"
	PaymentRefunded      Kind = "payment.refunded"
	RefundFailed         Kind = "payment.refund_failed"
	PaymentCredited      Kind = "payment.credited"
	PaymentReturned      Kind = "payment.returned" // by the customer's bank
	DisputeChanged       Kind = "payment.dispute_changed"
)

// The kinds about requests to the provider.
const (
	OperationBegun   Kind = "operation.begun"
	OperationSettled Kind = "operation.settled"
)

// The kinds about emails.
const (
	EmailFinished Kind = "email.finished"
)

// The kinds about operators. The entries of their actions have the code of the reason and the ticket, and may have a
// note. Commands about a single user have only a note, which states the reason. Views and exports have neither.
const (
	OperatorEndedSessions     Kind = "operator.ended_sessions"
	OperatorResetTwoStep      Kind = "operator.reset_two_step"
	OperatorRemovedPasskeys   Kind = "operator.removed_passkeys"
	OperatorExtendedTrial     Kind = "operator.extended_trial"
	OperatorEndedPlan         Kind = "operator.ended_plan"
	OperatorRefunded          Kind = "operator.refunded"
	OperatorGrantedMonth      Kind = "operator.granted_free_month"
	OperatorLiftedHold        Kind = "operator.lifted_hold"
	OperatorGrantedLicense    Kind = "operator.granted_developer_license"
	OperatorEndedLicense      Kind = "operator.ended_developer_license"
	OperatorRecordedPayment   Kind = "operator.recorded_payment"
	OperatorRecordedRefund    Kind = "operator.recorded_refund"
	OperatorReversedTransfer  Kind = "operator.reversed_transfer"
	OperatorVoidedInvoice     Kind = "operator.voided_invoice"
	OperatorAllowedInvoices   Kind = "operator.allowed_invoices"
	OperatorReadAgain         Kind = "operator.read_again"
	OperatorResentEmail       Kind = "operator.resent_email"     // the subject is the id of the email, user or invitation
	OperatorSentCode          Kind = "operator.sent_caller_code" // the subject is the member, also of the next kind
	OperatorCheckedCaller     Kind = "operator.checked_caller"
	OperatorExported          Kind = "operator.exported_audit_log"
	OperatorViewed            Kind = "operator.viewed"
	OperatorViewedKeptInvoice Kind = "operator.viewed_kept_invoice"
)

// definition describes the entries of a kind.
type definition struct {
	class Class
	keys  []string // of Entry.Data
}

// actionKeys returns the keys for an action of an operator: the code of the reason, the ticket, the user of the operating
// system for a command, the code of a refusal, and the keys of the action.
func actionKeys(keys ...string) []string {
	return append([]string{"reason", "ticket", "os_user", "refusal"}, keys...)
}

// kinds lists all kinds with the keys of their data. Keys that could contain names, addresses or free text don't belong
// here.
var kinds = map[Kind]definition{
	SignedUp:            {Record, []string{"plan", "interval", "country"}},
	EmailVerified:       {Record, nil},
	RegistrationDeleted: {Record, nil},
	SignIn:              {Access, []string{"methods", "browser", "reason"}},
	SignInsRefused:      {Access, []string{"method", "network", "count"}},
	SignedOut:           {Access, nil},
	SessionEnded:        {Access, nil},
	SignedOutEverywhere: {Record, nil},

	ProfileChanged:       {Record, []string{"fields"}},
	EmailChanged:         {Record, nil},
	EmailChangeRequested: {Record, nil},
	EmailChangeCanceled:  {Record, nil},
	ChangesUndone:        {Record, nil},
	PasswordChanged:      {Record, nil},
	TwoStepOn:            {Record, nil},
	TwoStepOff:           {Record, nil},
	AppAdded:             {Record, nil},
	RecoveryCodesRenewed: {Record, nil},
	RecoveryCodeUsed:     {Record, nil},
	PasskeyAdded:         {Record, nil},
	PasskeyRenamed:       {Record, nil},
	PasskeyRemoved:       {Record, nil},

	MemberInvited:     {Record, []string{"role"}},
	InvitationDeleted: {Record, nil},
	MemberJoined:      {Record, []string{"role"}},
	MemberRoleChanged: {Record, []string{"from", "to"}},
	MemberRemoved:     {Record, []string{"role"}},

	OrganisationRenamed:     {Record, nil},
	BillingDetailsChanged:   {Record, []string{"fields"}},
	BillingEmailEntered:     {Record, nil},
	BillingEmailChanged:     {Record, nil},
	TransferReported:        {Record, nil},
	DeveloperLicenseGranted: {Record, []string{"plan"}},
	DeveloperLicenseEnded:   {Record, nil},
	OrganisationExported:    {Record, nil},
	ErasureRequested:        {Record, []string{"due"}},
	ErasureWithdrawn:        {Record, nil},
	OrganisationErased:      {Record, []string{"requested", "keep_until"}},

	PlanStarted:          {Record, []string{"plan", "status"}},
	PlanStatusChanged:    {Record, []string{"from", "to"}},
	PlanChanged:          {Record, []string{"from", "to"}},
	PlanChangePending:    {Record, []string{"to", "amount"}},
	PlanChangeScheduled:  {Record, []string{"to", "at"}},
	PlanChangeDropped:    {Record, nil},
	PlanEnding:           {Record, []string{"at"}},
	PlanResumed:          {Record, nil},
	HoldChanged:          {Record, []string{"from", "to"}},
	InvoiceIssued:        {Record, []string{"number", "amount", "due"}},
	InvoiceStatusChanged: {Record, []string{"from", "to"}},
	PaymentReceived:      {Record, []string{"amount", "total"}},
	PaymentFailed:        {Record, []string{"at", "invoice"}},
	PaymentRefunded:      {Record, []string{"amount", "total"}},
	RefundFailed:         {Record, []string{"amount", "total"}},
	PaymentCredited:      {Record, []string{"amount", "total"}},
	PaymentReturned:      {Record, []string{"amount", "total"}},
	DisputeChanged:       {Record, []string{"from", "to"}},

	OperationBegun:   {Record, []string{"kind"}},
	OperationSettled: {Record, []string{"kind", "result", "reason"}},

	EmailFinished: {Record, []string{"notice", "user", "attempts", "reason", "answer"}},

	OperatorEndedSessions:     {Record, actionKeys()},
	OperatorResetTwoStep:      {Record, nil},
	OperatorRemovedPasskeys:   {Record, nil},
	OperatorExtendedTrial:     {Record, actionKeys("days", "until")},
	OperatorEndedPlan:         {Record, actionKeys("end", "at")},
	OperatorRefunded:          {Record, actionKeys("amount", "number")},
	OperatorGrantedMonth:      {Record, actionKeys("amount")},
	OperatorLiftedHold:        {Record, actionKeys()},
	OperatorGrantedLicense:    {Record, actionKeys("plan")},
	OperatorEndedLicense:      {Record, actionKeys()},
	OperatorRecordedPayment:   {Record, actionKeys("amount", "number")},
	OperatorRecordedRefund:    {Record, actionKeys("amount", "number")},
	OperatorReversedTransfer:  {Record, actionKeys("number")},
	OperatorVoidedInvoice:     {Record, actionKeys("number")},
	OperatorAllowedInvoices:   {Record, actionKeys()},
	OperatorReadAgain:         {Record, actionKeys()},
	OperatorResentEmail:       {Record, actionKeys("notice")},
	OperatorSentCode:          {Record, actionKeys()},
	OperatorCheckedCaller:     {Record, actionKeys("tries_left")},
	OperatorExported:          {Access, []string{"format"}},
	OperatorViewed:            {Access, []string{"page"}},
	OperatorViewedKeptInvoice: {Record, []string{"number"}},
}

// CustomerKinds returns the kinds that members who manage the billing of an organisation see. It omits sign-ins and
// changes of users' accounts, which only concern the user.
func CustomerKinds() []Kind {
	return []Kind{
		SignedUp, MemberInvited, InvitationDeleted, MemberJoined, MemberRoleChanged, MemberRemoved,
		OrganisationRenamed, BillingDetailsChanged, BillingEmailEntered, BillingEmailChanged, TransferReported,
		DeveloperLicenseGranted, DeveloperLicenseEnded,
		PlanStarted, PlanStatusChanged, PlanChanged, PlanChangePending, PlanChangeScheduled, PlanChangeDropped, PlanEnding, PlanResumed,
		InvoiceIssued, PaymentReceived, PaymentFailed, PaymentRefunded, PaymentCredited, PaymentReturned, OperatorLiftedHold,
	}
}

// Kinds returns all kinds in the order of their names.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }
