package diycmd

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The secrets of the operator.
const (
	canaryKey     = "sk_test_Canary8812key"
	canaryWebhook = "whsec_Canary8813webhook"
	canaryMail    = "Canary8814mail"
)

// Neither Stripe nor the mail server can be reached, so that whoever wants to say why has all there is
// to say.
func TestTheOperatorsSecretsAreNowhereToBeFound(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_ADMIN_ADDR=127.0.0.1:0", "DIY_PAYMENTS=stripe", "DIY_STRIPE_API_URL=http://127.0.0.1:1",
		"DIY_STRIPE_SECRET_KEY="+canaryKey, "DIY_STRIPE_PUBLISHABLE_KEY=pk_test_public", "DIY_STRIPE_WEBHOOK_SECRET="+canaryWebhook,
		"DIY_SMTP_URL=smtp://ada:"+canaryMail+"@127.0.0.1:1", "DIY_MAIL_FROM=diy@diy.example")
	admin := "http://" + server.waitFor(t, forOperators)
	w := walk{visitor: newVisitor(t), server: server.url, heard: &transcript{}}
	w.client.Transport = w.heard

	assert.Contains(t, w.say("GET", "/vc-admin/diy/config.json", ""), "pk_test_public", "what is public is shown")
	assert.Equal(t, http.StatusCreated, w.post(server.url+"/vc-admin/signup", registration))
	w.say("POST", "/vc-admin/webhooks/stripe", `{}`)
	w.say("GET", "/", "")
	server.waitFor(t, regexp.MustCompile(`("msg":"[^"]*email[^"]*")`))

	assertNowhere(t, map[string]string{
		"log": server.said(t), "answers": w.heard.answers.String(), "failures": w.heard.failures.String(),
		"metrics": w.get(admin + "/metrics"), "command line": w.get(admin + "/debug/pprof/cmdline"),
	}, canaryKey, canaryWebhook, canaryMail)
}
