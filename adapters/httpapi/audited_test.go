package httpapi_test

import (
	"testing"

	"github.com/vc-admin/diy/app/apptest"
)

const (
	page          = "none, because it serves a file or a page"
	reads         = apptest.OnlyReads
	storesNothing = "none, because it stores nothing"
	emailReported = "none, because it changes nothing; email.finished reports the email"
	inTable       = "none, because the table declined_notices shows the setting"
)

// auditedRoutes names an entry of the audit log for each route, or states why there is none.
var auditedRoutes = map[string]string{
	"GET /": page, "GET /vc-admin/dash": page, "GET /vc-admin/dash/": page, "GET /vc-admin/diy": page, "GET /vc-admin/diy/*": page,
	"GET /vc-admin/diy/common-passwords.json": page, "GET /vc-admin/diy/openapi.yaml": page,
	"GET /vc-admin/auth/confirm": page, "GET /vc-admin/auth/forgot": page, "GET /vc-admin/auth/reset": page,
	"GET /vc-admin/auth/billing-email": page, "GET /vc-admin/auth/email": page, "GET /vc-admin/auth/undo": page,
	"GET /vc-admin/auth/invitation": page, "GET /vc-admin/auth/emails": page,

	"GET /healthz": reads, "GET /readyz": reads, "GET /vc-admin/diy/config.json": reads, "GET /vc-admin/user/detail": reads,
	"GET /vc-admin/org/detail/{orgId}": reads, "GET /vc-admin/org/customer/cards": reads, "GET /vc-admin/user/account": reads,
	"GET /vc-admin/org/activity": reads, "GET /vc-admin/org/members": reads, "GET /vc-admin/org/billing/details": reads,
	"GET /vc-admin/org/invoices/{id}/pdf": reads, "GET /vc-admin/org/invoices/{id}/credit-notes/{number}/pdf": reads,
	"GET /vc-admin/org/billing": reads, "POST /vc-admin/org/customer": reads, "POST /vc-admin/org/invoices/list": reads,
	"POST /vc-admin/org/subscription/list": reads, "POST /vc-admin/org/subscription/quote": reads,
	"POST /vc-admin/auth/invitation/show": reads, "POST /vc-admin/auth/verify/show": reads,
	"POST /vc-admin/auth/billing-email/show": reads, "POST /vc-admin/auth/email/show": reads,
	"POST /vc-admin/auth/undo/show": reads, "POST /vc-admin/auth/emails/show": reads,

	"POST /vc-admin/signup": "user.signed_up", "POST /vc-admin/user-diy/new-user": "user.signed_up",
	"GET /vc-admin/auth/verify": "user.email_verified", "POST /vc-admin/auth/verify/confirm": "user.email_verified",
	"POST /vc-admin/auth/verify/reject": "user.registration_deleted", "POST /vc-admin/auth/verify/resend": emailReported,
	"POST /auth/login": "user.sign_in", "POST /vc-admin/auth/passkey": "user.sign_in",
	"POST /vc-admin/auth/passkey/options": storesNothing, "GET /vc-admin/auth/logout": "user.signed_out",
	"POST /vc-admin/auth/password/forgot": emailReported, "POST /vc-admin/auth/password/reset": "user.password_changed",

	"POST /vc-admin/user/edit": "user.profile_changed", "POST /vc-admin/user/password": "user.password_changed",
	"POST /vc-admin/user/email": "user.email_change_requested", "POST /vc-admin/user/email/cancel": "user.email_change_canceled",
	"POST /vc-admin/auth/email/confirm": "user.email_changed", "POST /vc-admin/auth/undo/confirm": "user.changes_undone",
	"POST /vc-admin/user/sessions/end":   "user.session_ended",
	"POST /vc-admin/user/two-step/start": storesNothing, "POST /vc-admin/user/two-step/confirm": "user.two_step_on",
	"POST /vc-admin/user/two-step/off": "user.two_step_off", "POST /vc-admin/user/passkeys/options": storesNothing,
	"POST /vc-admin/user/passkeys/add": "user.passkey_added", "POST /vc-admin/user/passkeys/edit": "user.passkey_renamed",
	"POST /vc-admin/user/passkeys/del": "user.passkey_removed",
	"POST /vc-admin/user/organisation": "none, because the user stays signed in and has the membership",

	"POST /vc-admin/org/members/invite": "member.invited", "POST /vc-admin/org/members/resend": "member.invited",
	"POST /vc-admin/org/members/revoke": "member.invitation_deleted", "POST /vc-admin/org/members/edit": "member.role_changed",
	"POST /vc-admin/org/members/del": "member.removed", "POST /vc-admin/org/members/leave": "member.removed",
	"POST /vc-admin/auth/invitation/accept": "member.joined",

	"POST /vc-admin/org/billing/edit":         "organisation.billing_details_changed",
	"POST /vc-admin/org/billing/email/resend": emailReported, "POST /vc-admin/auth/billing-email/confirm": "organisation.billing_email_changed",
	"GET /vc-admin/org/privacy": reads, "POST /vc-admin/org/privacy/export": "organisation.exported",
	"POST /vc-admin/org/privacy/erasure/request":  "organisation.erasure_requested",
	"POST /vc-admin/org/privacy/erasure/withdraw": "organisation.erasure_withdrawn",

	"POST /vc-admin/auth/emails": inTable, "POST /vc-admin/auth/emails/edit": inTable,

	"POST /vc-admin/user-diy/new-customer": "operation.begun", "POST /vc-admin/user-diy/subscribe": "operation.begun",
	"POST /vc-admin/org/customer/edit": "operation.begun", "POST /vc-admin/org/customer/cards/add": "operation.begun",
	"POST /vc-admin/org/customer/cards/page": "operation.begun", "POST /vc-admin/org/customer/cards/del": "operation.begun",
	"POST /vc-admin/org/invoices/{id}/transfer":        "organisation.transfer_reported",
	"POST /vc-admin/org/subscription/update":           "operation.begun",
	"POST /vc-admin/org/subscription/pay":              "operation.begun",
	"POST /vc-admin/org/subscription/cancel":           "operation.begun",
	"POST /vc-admin/org/subscription/resume":           "operation.begun",
	"POST /vc-admin/webhooks/stripe":                   "plan.status_changed",
	"POST /vc-admin/org/subscription/pending/cancel":   "operation.begun",
	"POST /vc-admin/org/subscription/scheduled/cancel": "operation.begun",
}

func TestAudit_EveryRouteHasAnEntryOrAReason(t *testing.T) {
	apptest.AssertAudited(t, allRoutes(t, newTestServer(t)), auditedRoutes)
}
