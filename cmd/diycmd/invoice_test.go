package diycmd

import (
	"compress/zlib"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/timezone"
)

// organisation returns the ID of the user's organisation.
func (b browser) organisation(server string) string {
	b.t.Helper()
	detail := b.get(server + "/vc-admin/user/detail")
	match := regexp.MustCompile(`"orgId": ?"([^"]+)"`).FindStringSubmatch(detail)
	require.NotNil(b.t, match, detail)
	return match[1]
}

// status returns the status of the license that the user sees.
func (b browser) status(server string) string {
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

// runInvoice runs `diy invoice` on the database of a server and returns its output.
func runInvoice(t *testing.T, database string, args ...string) string {
	t.Helper()
	var out strings.Builder
	env := map[string]string{"DIY_DATABASE_URL": database, "DIY_PAYMENTS": "invoice", "DIY_INVOICE_APPROVAL": "required"}
	require.Zero(t, run(t.Context(), env, &out, append([]string{"invoice"}, args...)...), out.String())
	return out.String()
}

// advanceClock moves the server's clock. The server processes everything that became due before it responds.
func (b browser) advanceClock(server string, step time.Duration) {
	b.t.Helper()
	require.Equal(b.t, http.StatusOK, b.post(server+"/dev/clock", `{"advance": "`+step.String()+`"}`))
}

func TestInvoice_OperatorCollectsBesideTheServer(t *testing.T) {
	database := newSQLite(t)
	process := startServer(t, database, "DIY_PAYMENTS=invoice", "DIY_INVOICE_APPROVAL=required")
	server := process.url
	ada := signUp(t, server)
	org := ada.organisation(server)
	operator := func(args ...string) string { return runInvoice(t, database, args...) }
	subscribe := func() (code int, response string) {
		return ada.send(http.MethodPost, server+"/vc-admin/user-diy/subscribe",
			`{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD"}`)
	}

	code, response := subscribe()
	require.Equal(t, http.StatusOK, code, response)
	var order struct {
		Status string
		Next   struct{ Kind, Reason string } `json:"next"`
	}
	require.NoError(t, json.Unmarshal([]byte(response), &order))
	assert.Equal(t, "incomplete", order.Status)
	assert.Equal(t, "wait", order.Next.Kind)
	assert.Contains(t, order.Next.Reason, "check your order")
	assert.Contains(t, operator("list"), "waits for: diy invoice allow --org "+org+"\nthere are no invoices")
	assert.Contains(t, ada.get(server+"/vc-admin/user/detail"), `"order":{"priceId":"standard_monthly"`)
	code, response = subscribe()
	assert.Equal(t, http.StatusConflict, code)
	assert.Contains(t, response, "withdraw this order first")
	require.Equal(t, http.StatusOK, ada.post(server+"/vc-admin/org/subscription/cancel", "{}"))
	assert.Contains(t, operator("list"), "there are no invoices")
	code, response = subscribe()
	require.Equal(t, http.StatusOK, code, response)

	assert.Contains(t, operator("allow", "--org", org), "Analytical Engines may pay by invoice; its subscription has started")
	ada.advanceClock(server, time.Hour)
	assert.Equal(t, "trialing", ada.status(server))
	ada.waitForEmail(server, "Invoice INV-000001: $39 AUD due on ")
	assert.Contains(t, ada.get(server+"/vc-admin/user/detail"), `{"label":"Reference","value":"INV-000001"}`)
	assert.Regexp(t, `INV-000001 +open +AUD 39.00 +AUD 0.00 +AUD 39.00 .* trialing +AUD 0.00 +`+org+` +Analytical Engines`,
		operator("list"))

	ada.advanceClock(server, 14*24*time.Hour)
	assert.Equal(t, "past_due", ada.status(server))
	ada.waitForEmail(server, "Invoice INV-000001: $39 AUD overdue since ")
	transfer := func(verb, amount, reference string, more ...string) string {
		return operator(append([]string{verb, "--number", "1", "--amount", amount, "--currency", "aud", "--reference",
			reference}, more...)...)
	}
	assert.Contains(t, transfer("paid", "30", "ANZ 1"),
		"AUD 30.00 received; it is open, AUD 9.00 of AUD 39.00 are owed; the subscription is past_due")
	assert.Contains(t, transfer("paid", "30", "ANZ 1"),
		`the transfer "ANZ 1" was recorded before, nothing has changed; it is open`)
	assert.Contains(t, transfer("paid", "10", "ANZ 2"),
		"INV-000001 of Analytical Engines: AUD 10.00 received, of which AUD 1.00 became credit; "+
			"it is paid; the subscription is active; the customer has a credit of AUD 1.00")
	assert.Contains(t, transfer("refund", "9", "ANZ 4"),
		"AUD 9.00 returned; AUD 1.00 were withdrawn from the customer's credit; it is paid")
	assert.Contains(t, operator("reverse", "--reference", "ANZ 4"), `the transfer "ANZ 4" was reversed; it is paid`)
	assert.Contains(t, transfer("refund", "1", "ANZ 3", "--credit"),
		"AUD 1.00 returned from the customer's credit; it is paid; the subscription is active\n")
	assert.Regexp(t, `INV-000001 +AUD -1.00 +ANZ 3`, operator("transfers"))
	ada.advanceClock(server, time.Hour)
	assert.Equal(t, "active", ada.status(server))
	assert.Contains(t, operator("list", "--all", "--org", org), "INV-000001")

	for range 2 { // the second invoice is issued, and stays unpaid for more than 21 days
		ada.advanceClock(server, 25*24*time.Hour)
	}
	assert.Regexp(t, `INV-000002 +open .* canceled `, operator("list"))
	ada.waitForEmail(server, "Your Standard plan has ended: $39 AUD was not paid")
	code, response = subscribe()
	assert.Equal(t, http.StatusConflict, code)
	assert.Contains(t, response, "The last bill of your former subscription, $39, is not paid.")
	assert.Contains(t, operator("void", "--number", "INV-000002"),
		"INV-000002 of Analytical Engines: nothing is owed; it is void")
	code, response = subscribe()
	assert.Equal(t, http.StatusOK, code, response)
	assert.NotContains(t, process.logText(t), "background work failed")
}

// The due date of an invoice is compared in the API, the instructions, the email, the document and the operator's
// list. It is a day later in Sydney, where the organisation is, than in London and Los Angeles.
func TestInvoice_DueDateIsTheSameEverywhere(t *testing.T) {
	database := newSQLite(t)
	server := startServer(t, database,
		"DIY_PAYMENTS=invoice", "DIY_INVOICE_APPROVAL=required", "TZ=America/Los_Angeles").url
	ada := signUp(t, server)
	operator := func(args ...string) string { return runInvoice(t, database, args...) }
	var clock struct{ Now time.Time }
	require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/dev/clock")), &clock))
	nextNight := clock.Now.Truncate(24 * time.Hour).Add(38*time.Hour + 30*time.Minute) // 14:30 UTC of the next day
	ada.advanceClock(server, nextNight.Sub(clock.Now))
	require.Equal(t, http.StatusOK, ada.post(server+"/vc-admin/user-diy/subscribe",
		`{"priceId": "standard_monthly", "interval": "monthly", "currency": "AUD", "no_trial": true}`))
	operator("allow", "--org", ada.organisation(server))
	ada.advanceClock(server, time.Hour) // processes the order

	const sydney = timezone.Zone("Australia/Sydney")
	type invoiceDate struct {
		At, DueAt time.Time
		TimeZone  timezone.Zone
	}
	assertSameDate := func() {
		t.Helper()
		var list struct {
			Data []struct {
				invoiceDate
				ID string
			}
		}
		_, response := ada.send(http.MethodPost, server+"/vc-admin/org/invoices/list", "{}")
		require.NoError(t, json.Unmarshal([]byte(response), &list))
		require.Len(t, list.Data, 1)
		due := sydney.Date(list.Data[0].DueAt)
		assert.NotEqual(t, timezone.Zone("Europe/London").Date(list.Data[0].DueAt), due)

		var user struct {
			Detail struct {
				License struct{ Invoiced invoiceDate }
				Next    struct {
					Instructions []struct{ Label, Value string }
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/user/detail")), &user))
		var billing struct{ Invoiced invoiceDate }
		require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/org/billing")), &billing))
		assert.Equal(t, sydney, list.Data[0].TimeZone)
		for _, invoiced := range []invoiceDate{user.Detail.License.Invoiced, billing.Invoiced} {
			assert.Equal(t, list.Data[0].DueAt, invoiced.At)
			assert.Equal(t, sydney, invoiced.TimeZone)
		}
		assert.Contains(t, user.Detail.Next.Instructions, struct{ Label, Value string }{"Due", due})
		ada.waitForEmail(server, "Invoice INV-000001: $39 AUD due on "+due)
		assert.Contains(t, pdfText(t, ada.get(server+"/vc-admin/org/invoices/"+list.Data[0].ID+"/pdf")), "("+due+")")

		assert.Contains(t, operator("list"), " "+sydney.In(list.Data[0].DueAt).Format(time.DateOnly)+" ")
	}

	assertSameDate()
	newAddress := `{"address": {"line1": "1 Beach", "city": "Honolulu", "state": "Hawaii", "postal_code": "96815", "country": "US"}}`
	require.Equal(t, http.StatusOK, ada.post(server+"/vc-admin/org/billing/edit", newAddress))
	assert.Contains(t, ada.get(server+"/vc-admin/org/detail/"+ada.organisation(server)), `"timeZone":"Pacific/Honolulu"`)
	assertSameDate()
}

// pdfText returns the text of the first page of a document of package invoicepdf.
func pdfText(t *testing.T, document string) string {
	t.Helper()
	_, compressed, found := strings.Cut(document, "stream\n")
	require.True(t, found, document)
	page, err := zlib.NewReader(strings.NewReader(compressed))
	require.NoError(t, err)
	content, err := io.ReadAll(page)
	require.NoError(t, err)
	return strings.ReplaceAll(string(content), "\x00", "") // the upper bytes of UTF-16
}

func TestInvoice_RefusesIncompleteCommands(t *testing.T) {
	for want, args := range map[string][]string{
		"--amount is missing":    {"paid", "--number", "INV-1"},
		"--reference is missing": {"reverse"},
		"--number is missing":    {"void"},
		"--org is missing":       {"allow"},
		`unexpected "forget"`:    {"forget"},
		"--amount is not a flag": {"void", "--number", "INV-1", "--amount", "5"},
		"must be an amount of money": {"paid", "--number", "INV-1", "--amount", "ten", "--currency", "AUD", "--reference",
			"ANZ 1"},
		"There is no invoice":    {"void", "--number", "INV-1"},
		"no such organisation":   {"allow", "--org", "org_1"},
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
