package diycmd

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/vc-admin/diy/adapters/metrics"
	"github.com/vc-admin/diy/app/apptest"
)

const (
	noAccount  = "none, because it shows and changes no account"
	ownEntries = "none, because requests and background work have entries of their own"
)

// auditedCommands names an entry of the audit log for each command, or states why there is none.
var auditedCommands = map[string]string{
	"serve": ownEntries, "migrate": noAccount, "health": noAccount, "version": noAccount,
	"catalogue diff": noAccount, "catalogue push": noAccount,
	"license dev": "operator.granted_developer_license", "license end": "operator.ended_developer_license",
	"hold list": apptest.OnlyReads, "hold show": "operator.viewed", "hold lift": "operator.lifted_hold",
	"user end-sessions": "operator.ended_sessions", "user remove-passkeys": "operator.removed_passkeys",
	"user reset-two-step": "operator.reset_two_step", "owner invite": "member.invited",
	"audit verify": apptest.OnlyReads, "audit export": "operator.exported_audit_log",
	"invoice list": apptest.OnlyReads, "invoice transfers": apptest.OnlyReads,
	"invoice paid": "operator.recorded_payment", "invoice refund": "operator.recorded_refund",
	"invoice reverse": "operator.reversed_transfer", "invoice void": "operator.voided_invoice",
	"invoice allow":  "operator.allowed_invoices",
	"privacy export": "organisation.exported", "privacy erase": "organisation.erasure_requested",
	"privacy keep": "organisation.erasure_withdrawn", "privacy reapply": "organisation.erased",
	"privacy invoice": "operator.viewed_kept_invoice",
}

func TestAudit_EveryCommandHasAnEntryOrAReason(t *testing.T) {
	verbs := map[string][]string{
		"license": verbNames(licenseVerbs), "hold": verbNames(holdVerbs), "user": verbNames(userVerbs), "audit": verbNames(auditVerbs),
		"invoice": verbNames(invoiceVerbs), "privacy": verbNames(privacyVerbs), "owner": {"invite"}, "catalogue": {"diff", "push"},
	}
	var names []string
	for _, c := range commands() {
		if verbs[c.name] == nil {
			names = append(names, c.name)
		}
		for _, verb := range verbs[c.name] {
			names = append(names, c.name+" "+verb)
		}
	}
	apptest.AssertAudited(t, names, auditedCommands)
}

func TestAudit_EveryAdminRouteHasAReason(t *testing.T) {
	routes := slices.Collect(maps.Keys(adminRoutes(http.NotFoundHandler(), metrics.New("test"))))
	apptest.AssertAudited(t, routes, map[string]string{
		"GET /metrics": noAccount, "GET /healthz": noAccount, "GET /readyz": noAccount,
		"/debug/pprof/": noAccount, "/debug/pprof/cmdline": noAccount, "/debug/pprof/profile": noAccount,
		"/debug/pprof/trace": noAccount, "/debug/pprof/symbol": noAccount,
	})
}
