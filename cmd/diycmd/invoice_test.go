package diycmd

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/timezone"
)

// organisationID returns the ID of the user's organisation.
func (b browser) organisationID(server string) string {
	b.t.Helper()
	detail := b.get(server + "/vc-admin/user/detail")
	match := regexp.MustCompile(`"orgId": ?"([^"]+)"`).FindStringSubmatch(detail)
	require.NotNil(b.t, match, detail)
	return match[1]
}

// licenseStatus returns the status of the license that the user sees.
func (b browser) licenseStatus(server string) string {
	b.t.Helper()
	match := regexp.MustCompile(`"status": ?"(\w+)"`).FindStringSubmatch(b.get(server + "/vc-admin/user/detail"))
	if match == nil {
		return ""
	}
	return match[1]
}

// waitForEmail waits until an email was sent whose subject begins with the text.
func (b browser) waitForEmail(server, subject string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { return strings.Contains(b.get(server+"/dev/mailbox.json"), `"subject":"`+subject) },
		eventTimeout, 50*time.Millisecond, subject)
}

// invoiceServer is a server with payment by invoice and one user.
type invoiceServer struct {
	url, database string
	ada           browser
	orgID         string // the ID of Ada's organisation
}

// startInvoiceServer starts a server, with additional settings, on which Ada has signed up. The test fails if background
// work of the server fails.
func startInvoiceServer(t *testing.T, settings ...string) invoiceServer {
	t.Helper()
	database := newSQLiteURL(t)
	process := startServer(t, database, append(settings, "DIY_PAYMENTS=invoice", "DIY_INVOICE_APPROVAL=required")...)
	t.Cleanup(func() { assert.NotContains(t, process.logText(t), "background work failed") })
	ada := signUp(t, process.url)
	return invoiceServer{url: process.url, database: database, ada: ada, orgID: ada.organisationID(process.url)}
}

// runInvoiceCommand runs `diy invoice` beside the server and returns its output.
func (s invoiceServer) runInvoiceCommand(args ...string) string {
	s.ada.t.Helper()
	var out strings.Builder
	env := map[string]string{"DIY_DATABASE_URL": s.database, "DIY_PAYMENTS": "invoice", "DIY_INVOICE_APPROVAL": "required"}
	args = append([]string{"invoice"}, args...)
	if !slices.Contains([]string{"list", "transfers"}, args[1]) {
		args = append(args, "--reason", "customer_request", "--ticket", "T-1", "--by", "olga")
	}
	require.Zero(s.ada.t, run(s.ada.t.Context(), env, &out, args...), out.String())
	return out.String()
}

// recordTransfer records a transfer about the first invoice and returns the output.
func (s invoiceServer) recordTransfer(verb, amount, reference string, flags ...string) string {
	s.ada.t.Helper()
	return s.runInvoiceCommand(append([]string{verb, "--number", "1", "--amount", amount, "--currency", "aud", "--reference",
		reference}, flags...)...)
}

// operatorEntries returns the kinds and amounts of the entries about actions of olga in the audit log. It expects a reason, a
// ticket and the user of the operating system in each, and no reference, which can contain names.
func (s invoiceServer) operatorEntries() (entries []string) {
	s.ada.t.Helper()
	var out strings.Builder
	env := map[string]string{"DIY_DATABASE_URL": s.database, "DIY_PAYMENTS": "invoice"}
	require.Zero(s.ada.t, run(s.ada.t.Context(), env, &out, "audit", "export", "--org", s.orgID, "--format", "json"), out.String())
	assert.NotContains(s.ada.t, out.String(), "ANZ")
	var all []struct {
		Kind, Actor string
		Data        map[string]string
	}
	require.NoError(s.ada.t, json.Unmarshal([]byte(out.String()), &all), out.String())
	for _, e := range all {
		if e.Actor != "olga" {
			continue
		}
		assert.Equal(s.ada.t, "customer_request T-1", e.Data["reason"]+" "+e.Data["ticket"])
		assert.NotEmpty(s.ada.t, e.Data["os_user"])
		entries = append(entries, strings.TrimSpace(e.Kind+" "+e.Data["amount"]))
	}
	return entries
}

// orderPlan orders the monthly standard plan.
func (s invoiceServer) orderPlan() (status int, response string) {
	s.ada.t.Helper()
	return s.ada.send(http.MethodPost, s.url+"/vc-admin/user-diy/subscribe",
		`{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD"}`)
}

// orderAndApprovePlan orders the plan, approves the organisation and lets the server process the order.
func (s invoiceServer) orderAndApprovePlan() {
	s.ada.t.Helper()
	status, response := s.orderPlan()
	require.Equal(s.ada.t, http.StatusOK, status, response)
	assert.Contains(s.ada.t, s.runInvoiceCommand("allow", "--org", s.orgID),
		"Analytical Engines may pay by invoice; its subscription has started")
	s.ada.advanceClock(s.url, time.Hour)
	assert.Equal(s.ada.t, "trialing", s.ada.licenseStatus(s.url))
}

// advanceClock moves the server's clock. The server processes everything that became due before it responds.
func (b browser) advanceClock(server string, step time.Duration) {
	b.t.Helper()
	require.Equal(b.t, http.StatusOK, b.post(server+"/dev/clock", `{"advance": "`+step.String()+`"}`))
}

func TestInvoice_OperatorApprovesAnOrder(t *testing.T) {
	s := startInvoiceServer(t)

	status, response := s.orderPlan()
	require.Equal(t, http.StatusOK, status, response)
	var order struct {
		Status string
		Next   struct{ Kind, Reason string } `json:"next"`
	}
	require.NoError(t, json.Unmarshal([]byte(response), &order))
	assert.Equal(t, "incomplete", order.Status)
	assert.Equal(t, "wait", order.Next.Kind)
	assert.Contains(t, order.Next.Reason, "check your order")
	assert.Contains(t, s.runInvoiceCommand("list"), "waits for: diy invoice allow --org "+s.orgID+"\nthere are no invoices")
	assert.Contains(t, s.ada.get(s.url+"/vc-admin/user/detail"), `"order":{"priceId":"standard_monthly"`)
	status, response = s.orderPlan()
	assert.Equal(t, http.StatusConflict, status)
	assert.Contains(t, response, "withdraw this order first")
	require.Equal(t, http.StatusOK, s.ada.post(s.url+"/vc-admin/org/subscription/cancel", "{}"))
	assert.Contains(t, s.runInvoiceCommand("list"), "there are no invoices")

	s.orderAndApprovePlan()

	s.ada.waitForEmail(s.url, "Invoice INV-000001: $39 AUD due on ")
	assert.Contains(t, s.ada.get(s.url+"/vc-admin/user/detail"), `{"label":"Reference","value":"INV-000001"}`)
	assert.Regexp(t, `INV-000001 +open +AUD 39.00 +AUD 0.00 +AUD 0.00 +AUD 39.00 .* trialing +AUD 0.00 +`+s.orgID+` +Analytical Engines`,
		s.runInvoiceCommand("list"))
}

func TestInvoice_OperatorRecordsTransfers(t *testing.T) {
	s := startInvoiceServer(t)
	s.orderAndApprovePlan()
	s.ada.advanceClock(s.url, 15*24*time.Hour)
	assert.Equal(t, "past_due", s.ada.licenseStatus(s.url))
	s.ada.assertInvoiceOverdueEverywhere(s.url)

	assert.Contains(t, s.recordTransfer("paid", "30", "ANZ 1"),
		"AUD 30.00 received; it is open, AUD 9.00 of AUD 39.00 are owed; the subscription is past_due")
	assert.Contains(t, s.recordTransfer("paid", "30", "\u201cANZ\u00a01\u201d"), // as copied from a bank statement
		`the transfer "ANZ 1" was recorded before, nothing has changed; it is open`)
	assert.Contains(t, s.recordTransfer("paid", "10", "ANZ 2"),
		"INV-000001 of Analytical Engines: AUD 10.00 received, of which AUD 1.00 became credit; "+
			"it is paid; the subscription is active; the customer has a credit of AUD 1.00")
	assert.Contains(t, s.recordTransfer("refund", "9", "ANZ 4"),
		"AUD 9.00 returned; AUD 1.00 were withdrawn from the customer's credit; it is paid")
	assert.Contains(t, s.runInvoiceCommand("reverse", "--reference", "ANZ 4"), `the transfer "ANZ 4" was reversed; it is paid`)
	assert.Contains(t, s.recordTransfer("refund", "1", "ANZ 3", "--credit"),
		"AUD 1.00 returned from the customer's credit; it is paid; the subscription is active\n")

	assert.Regexp(t, `INV-000001 +AUD -1.00 +ANZ 3`, s.runInvoiceCommand("transfers"))
	assert.Equal(t, []string{
		"operator.allowed_invoices", "operator.recorded_payment 3000 AUD", "operator.recorded_payment 1000 AUD",
		"operator.recorded_refund 900 AUD", "operator.reversed_transfer", "operator.recorded_refund 100 AUD",
	}, s.operatorEntries())
	s.ada.advanceClock(s.url, time.Hour)
	assert.Equal(t, "active", s.ada.licenseStatus(s.url))
	assert.Contains(t, s.runInvoiceCommand("list", "--all", "--org", s.orgID), "INV-000001")
}

func TestInvoice_ListShowsWhenTheCustomerReportedATransfer(t *testing.T) {
	s := startInvoiceServer(t)
	s.orderAndApprovePlan()
	match := regexp.MustCompile(`"invoice":"(\w+)"`).FindStringSubmatch(s.ada.get(s.url + "/vc-admin/user/detail"))
	require.NotNil(t, match)
	var clock struct{ Now time.Time }
	require.NoError(t, json.Unmarshal([]byte(s.ada.get(s.url+"/dev/clock")), &clock))
	const row = `INV-000001 +open .* \d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +`
	assert.NotRegexp(t, row+`\d{4}-\d\d-\d\d +trialing`, s.runInvoiceCommand("list"))

	require.Equal(t, http.StatusOK, s.ada.post(s.url+"/vc-admin/org/invoices/"+match[1]+"/transfer", ""))

	reportedOn := timezone.Zone("Australia/Sydney").In(clock.Now).Format(time.DateOnly)
	list := s.runInvoiceCommand("list")
	assert.Contains(t, list, " REPORTED ")
	assert.Regexp(t, row+reportedOn+` +trialing`, list)
}

func TestInvoice_OperatorVoidsTheInvoiceOfAnEndedPlan(t *testing.T) {
	s := startInvoiceServer(t)
	s.orderAndApprovePlan()
	s.ada.advanceClock(s.url, 14*24*time.Hour)
	s.recordTransfer("paid", "39", "ANZ 1")
	for range 2 { // the second invoice is issued, and stays unpaid for more than 21 days
		s.ada.advanceClock(s.url, 25*24*time.Hour)
	}
	assert.Regexp(t, `INV-000002 +open .* canceled `, s.runInvoiceCommand("list"))
	s.ada.waitForEmail(s.url, "Your Standard plan has ended: $39 AUD was not paid")
	status, response := s.orderPlan()
	assert.Equal(t, http.StatusConflict, status)
	assert.Contains(t, response, "The last invoice of your former subscription, $39 AUD, is not paid.")

	assert.Contains(t, s.runInvoiceCommand("void", "--number", "INV-000002"),
		"INV-000002 of Analytical Engines: nothing is owed; it is void")

	status, response = s.orderPlan()
	assert.Equal(t, http.StatusOK, status, response)
}

func TestInvoice_RefusesIncompleteCommands(t *testing.T) {
	for want, args := range map[string][]string{
		"--amount is missing":    {"paid", "--number", "INV-1"},
		"--reference is missing": {"reverse"},
		"--number is missing":    {"void"},
		"--org is missing":       {"allow"},
		"--reason is missing":    {"void", "--number", "INV-1"},
		"--ticket is missing":    {"allow", "--org", "org_1", "--reason", "other"},
		"Choose a reason":        {"void", "--number", "INV-1", "--reason", "because", "--ticket", "T-1"},
		`unexpected "forget"`:    {"forget"},
		"--amount is not a flag": {"void", "--number", "INV-1", "--amount", "5"},
		"must be an amount of money": {"paid", "--number", "INV-1", "--amount", "ten", "--currency", "AUD", "--reference",
			"ANZ 1", "--reason", "other", "--ticket", "T-1"},
		"There is no invoice":    {"void", "--number", "INV-1", "--reason", "other", "--ticket", "T-1"},
		"no such organisation":   {"allow", "--org", "org_1", "--reason", "other", "--ticket", "T-1"},
		"There is no such organ": {"list", "--org", "org_1"},
		"There is no invoice IN": {"transfers", "--number", "INV-1"},
		"no invoices to show":    {"list"},
		"no transfers to show":   {"transfers"},
		"must be invoice for th": {"list", "fake"},
	} {
		env := devSettings(t)
		env["DIY_PAYMENTS"] = "invoice"
		if args[len(args)-1] == "fake" {
			env["DIY_PAYMENTS"], args = "fake", args[:1]
		}
		var out strings.Builder
		code := run(t.Context(), env, &out, append([]string{"invoice"}, args...)...)
		assert.Contains(t, out.String(), want)
		assert.Equal(t, strings.HasSuffix(want, " to show"), code == 0, want)
	}
}
