package console_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
)

// auditedPages names an entry of the audit log for each page and each confirmed action, or states why there is none. The form of
// an action shows a part of the page of the organisation.
var auditedPages = map[string]string{
	"GET /console": noAccount, "GET /console/console.css": noAccount, "GET /console/attention": noAccount,
	"GET /console/work": noAccount, "GET /console/search": apptest.OnlyReads,
	"GET /console/organisations/{id}": "operator.viewed", "GET /console/audit": "operator.viewed",
	"GET /console/privacy":                              "operator.viewed_kept_invoice",
	"GET /console/organisations/{id}/export":            "organisation.exported",
	"GET /console/transfers":                            noAccount,
	"GET /console/organisations/{id}/approve-orders":    "operator.viewed",
	"GET /console/organisations/{id}/record-payment":    "operator.viewed",
	"GET /console/organisations/{id}/record-refund":     "operator.viewed",
	"GET /console/organisations/{id}/record-payout":     "operator.viewed",
	"GET /console/organisations/{id}/reverse-transfer":  "operator.viewed",
	"GET /console/organisations/{id}/void-invoice":      "operator.viewed",
	"POST /console/organisations/{id}/approve-orders":   "operator.allowed_invoices",
	"POST /console/organisations/{id}/record-payment":   "operator.recorded_payment",
	"POST /console/organisations/{id}/record-refund":    "operator.recorded_refund",
	"POST /console/organisations/{id}/record-payout":    "operator.recorded_refund",
	"POST /console/organisations/{id}/reverse-transfer": "operator.reversed_transfer",
	"POST /console/organisations/{id}/void-invoice":     "operator.voided_invoice",
	"GET /console/audit/export":                         "operator.exported_audit_log",
	"POST /console/organisations/{id}/verify-caller":    "operator.sent_caller_code",
	"POST /console/organisations/{id}/caller-code":      "operator.checked_caller",
	"GET /console/organisations/{id}/verify-caller":     form, "GET /console/organisations/{id}/caller-code": form,
	"POST /console/organisations/{id}/resend": "operator.resent_email", "GET /console/organisations/{id}/resend": form,
	"POST /console/organisations/{id}/end-sessions":  "operator.ended_sessions",
	"POST /console/organisations/{id}/extend-trial":  "operator.extended_trial",
	"POST /console/organisations/{id}/end-plan":      "operator.ended_plan",
	"POST /console/organisations/{id}/refund":        "operator.refunded",
	"POST /console/organisations/{id}/free-month":    "operator.granted_free_month",
	"POST /console/organisations/{id}/lift-hold":     "operator.lifted_hold",
	"POST /console/organisations/{id}/grant-license": "operator.granted_developer_license",
	"POST /console/organisations/{id}/end-license":   "operator.ended_developer_license",
	"GET /console/organisations/{id}/grant-license":  form, "GET /console/organisations/{id}/end-license": form,
	"POST /console/organisations/{id}/read-again": "operator.read_again", "GET /console/organisations/{id}/read-again": form,
	"GET /console/organisations/{id}/end-sessions": form, "GET /console/organisations/{id}/extend-trial": form,
	"GET /console/organisations/{id}/end-plan": form, "GET /console/organisations/{id}/refund": form,
	"GET /console/organisations/{id}/free-month": form, "GET /console/organisations/{id}/lift-hold": form,
}

const (
	noAccount = "none, because it shows no account"
	form      = "none, because the page that links the form records the view"
)

func TestAudit_EveryPageHasAnEntryOrAReason(t *testing.T) {
	routes := console.Routes(newConsole(t, apptest.New(t), nil))
	apptest.AssertAudited(t, slices.Collect(maps.Keys(routes)), auditedPages)
}
