package app_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/storage"
)

// auditedUseCases names an entry of the audit log for each use case, or states why there is none.
var auditedUseCases = map[string]string{
	"SignUp": "user.signed_up", "VerifyEmail": "user.email_verified", "ConfirmRegistration": "user.email_verified",
	"RejectRegistration": "user.registration_deleted", "SignIn": "user.sign_in", "SignInWithPasskey": "user.sign_in",
	"SignOut": "user.signed_out", "RecordRefusedSignIns": "user.sign_ins_refused",
	"ResetPassword": "user.password_changed", "ChangePassword": "user.password_changed", "EditProfile": "user.profile_changed",
	"EndSession": "user.session_ended", "EndOtherSessions": "user.session_ended",
	"ConfirmTwoStep": "user.two_step_on", "TurnOffTwoStep": "user.two_step_off",
	"AddPasskey": "user.passkey_added", "RenamePasskey": "user.passkey_renamed", "RemovePasskey": "user.passkey_removed",
	"RequestEmailChange": "user.email_change_requested", "CancelEmailChange": "user.email_change_canceled", "ConfirmEmailChange": "user.email_changed", "UndoChange": "user.changes_undone",
	"EndUserSessions": "operator.ended_sessions", "RemoveUserPasskeys": "operator.removed_passkeys", "ResetTwoStep": "operator.reset_two_step",
	"ViewOrganisation": "operator.viewed", "FindOrganisations": reads,
	"SendCallerCode": "operator.sent_caller_code", "EnterCallerCode": "operator.checked_caller",
	"ResendEmail": "operator.resent_email", "RenewLink": "operator.resent_email", "RenewInvitation": "operator.resent_email",
	"EndSessions": "operator.ended_sessions", "ListRefusals": reads, "ShowAuditLog": "operator.viewed", "ExportEntries": "operator.exported_audit_log",
	"ShowTimeline":  "none, because ViewOrganisation records the view",
	"ShowAttention": "none, because it shows no account but only that there is something to do",
	"ShowWork":      "none, because it shows no account",
	"LiftHold":      "operator.lifted_hold", "ExportAuditLog": "operator.exported_audit_log",
	"ShowTransfers": "none, because it lists what is to do and shows no account", "ListTransfers": reads,
	"ApproveOrders": "operator.allowed_invoices", "RecordTransfer": "operator.recorded_payment",
	"ReverseTransfer": "operator.reversed_transfer", "VoidInvoice": "operator.voided_invoice",
	"ReadAgain": "operator.read_again", "ExtendTrial": "operator.extended_trial", "EndPlan": "operator.ended_plan", "RefundInvoice": "operator.refunded",
	"GrantFreeMonth": "operator.granted_free_month", "GrantDevLicense": "operator.granted_developer_license",
	"EndDevLicense":      "operator.ended_developer_license",
	"EditBillingDetails": "organisation.billing_details_changed", "ConfirmBillingEmail": "organisation.billing_email_changed",
	"ReportTransfer": "organisation.transfer_reported",
	"ExportData":     "organisation.exported", "RequestErasure": "organisation.erasure_requested",
	"WithdrawErasure": "organisation.erasure_withdrawn", "CarryOutErasures": "organisation.erased",
	"ExportOrganisation": "organisation.exported", "EraseOrganisation": "organisation.erasure_requested",
	"KeepOrganisation": "organisation.erasure_withdrawn", "EraseOrganisationAgain": "organisation.erased",
	"FindKeptInvoices": "operator.viewed_kept_invoice", "ShowErasures": "none, because it shows no account but only what is due", "ListErasures": reads,
	"InviteMember": "member.invited", "InviteOwner": "member.invited", "ResendInvitation": "member.invited",
	"RevokeInvitation": "member.invitation_deleted", "AcceptInvitation": "member.joined", "ChangeRole": "member.role_changed",
	"RemoveMember": "member.removed", "LeaveOrganisation": "member.removed",
	"CreateCustomer": "operation.begun", "AddCard": "operation.begun", "SetUpMethod": "operation.begun", "SetDefaultCard": "operation.begun",
	"DeleteCard": "operation.begun", "Subscribe": "operation.begun", "ChangePlan": "operation.begun", "PayOpenInvoice": "operation.begun",
	"CancelPendingChange": "operation.begun", "CancelScheduledChange": "operation.begun", "EndSubscription": "operation.begun",
	"ResumeSubscription": "operation.begun", "Reconcile": "operation.settled",
	"ReceiveEvent": "plan.status_changed", "RefreshBilling": "plan.status_changed", "DeliverMail": "email.finished",

	"DescribeUser": reads, "ListOrganisations": reads, "ShowOrganisation": reads, "ShowCustomer": reads, "ListCards": reads,
	"ShowBillingDetails": reads, "ShowBillingEmailConfirmation": reads, "ShowEmailPreferences": reads, "ListUnreachableEmails": reads,
	"ListInvoices": reads, "DownloadInvoicePDF": reads, "DownloadCreditNotePDF": reads, "QuotePrice": reads, "ShowBilling": reads,
	"ListSubscriptions": reads, "ListHolds": reads, "ShowHold": reads, "ShowRegistration": reads, "ShowAccount": reads,
	"ShowEmailChange": reads, "ShowUndo": reads, "ListMembers": reads, "ShowActivity": reads, "ShowInvitation": reads, "ShowPrivacy": reads, "VerifyAuditLog": reads,
	"ResendBillingEmailConfirmation": "none, because it changes nothing; email.finished reports the email",
	"ResendVerification":             "none, because the address may be unknown; email.finished reports the email",
	"ForgotPassword":                 "none, because the address may be unknown; email.finished reports the email",
	"SendRequestedEmails":            "none, because email.finished reports the emails",
	"RequestPasskey":                 "none, because it stores nothing",
	"StartTwoStep":                   "none, because it stores nothing",
	"StartPasskey":                   "none, because it stores nothing",
	"GetEmailPreferencesToken":       "none, because it stores nothing",
	"EditEmailPreferences":           "none, because the table declined_notices shows the setting",
	"Unsubscribe":                    "none, because the table declined_notices shows the setting",
	"SwitchOrganisation":             "none, because the user stays signed in and has the membership",
	"Sweep":                          "none, because it deletes expired data; user.registration_deleted reports registrations",
	"SealAuditLog":                   "none, because the seals are in a table of their own and in the server's log",
}

const reads = apptest.OnlyReads

func TestAudit_SettledOperationHasTheOutcomeOfItsRequest(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	settled := func() [2]string {
		t.Helper()
		entries, err := f.Store.AuditEntries(t.Context(), storage.AuditQuery{OrganisationID: caller.OrganisationID, Limit: 1000})
		require.NoError(t, err)
		for _, e := range slices.Backward(entries) {
			if e.Kind == audit.OperationSettled {
				return [2]string{string(e.Outcome), e.Data["reason"]}
			}
		}
		return [2]string{}
	}

	f.subscribe(caller, declinedChargesCard, standardMonthly, true)
	assert.Equal(t, [2]string{"failed", "declined"}, settled(), "the charge was declined, and the invoice stays open")

	_, err := f.Subscribe.Do(t.Context(), caller,
		app.SubscribeRequest{MethodID: f.CreateCard(declinedCard), Price: standardMonthly, NoTrial: true})
	if err != nil { // a provider that charges new cards at once reports an unpaid subscription instead
		assert.Equal(t, [2]string{"refused", "declined"}, settled())
	}

	f.subscribe(caller, visa, standardMonthly, true)
	assert.Equal(t, [2]string{"done", ""}, settled())
}

func TestAudit_EveryUseCaseHasAnEntryOrAReason(t *testing.T) {
	names := useCaseNames(reflect.TypeFor[app.UseCases]())
	require.Greater(t, len(names), 60)
	apptest.AssertAudited(t, names, auditedUseCases)
}

// useCaseNames returns the names of the pointers in the struct and in the structs that it embeds.
func useCaseNames(useCases reflect.Type) (names []string) {
	for field := range useCases.Fields() {
		switch {
		case field.Type.Kind() == reflect.Pointer:
			names = append(names, field.Name)
		case field.Type.Kind() == reflect.Struct:
			names = append(names, useCaseNames(field.Type)...)
		}
	}
	return names
}
