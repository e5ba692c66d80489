package app_test

import (
	"bufio"
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/textproto"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/smtpmail"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/mail"
)

// relay is a mail server that can have a fault.
type relay struct {
	address string

	mu         sync.Mutex
	fault      relayFault
	faultCount int
	emails     map[string]relayedEmail // by Message-ID
}

// relayFault is the response of a relay to one step of a delivery: CONNECT, EHLO, AUTH, MAIL, RCPT, DATA or "." for the end
// of the content.
type relayFault struct {
	step      string // "" for no fault
	response  string // a line, or stall or disconnect
	recipient string // the fault concerns only this recipient; "" for all
}

const (
	stall      = "stall"      // the relay never responds
	disconnect = "disconnect" // the relay closes the connection
)

type relayedEmail struct{ recipient, subject string }

var verificationLinkPattern = regexp.MustCompile(`/vc-admin/auth/verify\?token=(\w+)`)

func startRelay(t *testing.T) *relay {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	r := &relay{address: l.Addr().String(), emails: map[string]relayedEmail{}}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(textproto.NewConn(conn))
		}
	}()
	return r
}

func (r *relay) setFault(f relayFault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fault, r.faultCount = f, 0
}

// serve handles a connection until it is closed.
func (r *relay) serve(c *textproto.Conn) {
	defer func() { _ = c.Close() }()
	recipient := ""
	isOpen, _ := r.respond(c, "CONNECT", "", "220 mx.example.org ESMTP")
	for isOpen {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		switch command, _, _ := strings.Cut(line, " "); command {
		case "EHLO":
			isOpen, _ = r.respond(c, command, "", "250-mx.example.org\r\n250 AUTH PLAIN")
		case "AUTH":
			isOpen, _ = r.respond(c, command, "", "235 2.7.0 accepted")
		case "RCPT":
			recipient = strings.Trim(strings.TrimPrefix(line, "RCPT TO:"), "<>")
			isOpen, _ = r.respond(c, command, recipient, "250 accepted")
		case "DATA":
			var isAccepted bool
			isOpen, isAccepted = r.respond(c, command, recipient, "354 go on")
			if isAccepted {
				isOpen = r.receive(c, recipient)
			}
		default:
			isOpen, _ = r.respond(c, command, recipient, "250 fine")
		}
	}
}

// respond sends the ordinary response to a step, or the one of the fault.
func (r *relay) respond(c *textproto.Conn, step, recipient, ordinary string) (isOpen, isAccepted bool) {
	response := ordinary
	if r.hasFault(step, recipient) {
		response = r.faultResponse()
	}
	if response == stall {
		_, _ = c.ReadLine() // until the client closes the connection
	}
	isOpen = response != stall && response != disconnect && c.PrintfLine("%s", response) == nil
	return isOpen, isOpen && response == ordinary
}

// receive receives the content of an email.
func (r *relay) receive(c *textproto.Conn, recipient string) (isOpen bool) {
	content, err := c.ReadDotBytes()
	if err != nil {
		return false
	}
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(content))).ReadMIMEHeader()
	if err != nil {
		return false
	}
	if !r.hasFault(".", recipient) {
		r.store(header.Get("Message-Id"), relayedEmail{recipient, header.Get("Subject")})
	}
	isOpen, _ = r.respond(c, ".", recipient, "250 accepted")
	return isOpen
}

func (r *relay) store(messageID string, email relayedEmail) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, isRepeated := r.emails[messageID]; isRepeated {
		email.subject = "repeated: " + email.subject
	}
	r.emails[messageID] = email
}

// hasFault reports whether the relay has a fault in the step, and counts it.
func (r *relay) hasFault(step, recipient string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	hasFault := r.fault.step == step && (r.fault.recipient == "" || r.fault.recipient == recipient)
	if hasFault {
		r.faultCount++
	}
	return hasFault
}

func (r *relay) faultResponse() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fault.response
}

func (r *relay) faults() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.faultCount
}

// takeEmails returns how many emails with each recipient and subject the relay has accepted since the last call.
func (r *relay) takeEmails() map[relayedEmail]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	counts := map[relayedEmail]int{}
	for _, email := range r.emails {
		counts[email]++
	}
	r.emails = map[string]relayedEmail{}
	return counts
}

// mailFaultEnv is an application that sends its emails to a relay. The customers ann and bob are on a trial.
type mailFaultEnv struct {
	*apptest.Env
	t        *testing.T
	relay    *relay
	server   *app.UseCases
	log      *bytes.Buffer
	ann, bob *apptest.User

	links map[string]string // the last token in an email that was sent to a recipient
}

func newMailFaultEnv(t *testing.T) *mailFaultEnv {
	t.Helper()
	e := &mailFaultEnv{Env: apptest.New(t), t: t, relay: startRelay(t), log: &bytes.Buffer{}, links: map[string]string{}}
	e.ann, e.bob = e.SignUp("ann"), e.SignUp("bob")
	for _, user := range []*apptest.User{e.ann, e.bob} {
		user.Subscribe(apptest.Visa, apptest.StandardMonthly)
	}
	e.DeliverEvents()
	e.restartServer()
	e.deliver()
	require.NotEmpty(t, e.relay.takeEmails())
	return e
}

// restartServer replaces the server that sends emails. Its deliveries time out after a fraction of a second.
func (e *mailFaultEnv) restartServer() {
	e.t.Helper()
	sender, err := smtpmail.New(smtpmail.Options{URL: "smtp://user:hunter2@" + e.relay.address, From: "billing@vision.example"}, e.Clock)
	require.NoError(e.t, err)
	e.t.Cleanup(sender.Close)
	e.server = app.New(app.Ports{
		Store: e.Store, Clock: e.Clock, Log: slog.New(slog.NewTextHandler(e.log, nil)),
		Mail: senderFunc(func(ctx context.Context, m mail.Message) error {
			ctx, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
			defer cancel()
			if match := verificationLinkPattern.FindStringSubmatch(m.Text); match != nil {
				e.links[m.To] = match[1]
			}
			return sender.Send(ctx, m)
		}),
	})
}

func (e *mailFaultEnv) deliver() {
	e.t.Helper()
	_, err := e.server.DeliverMail.Do(e.t.Context())
	require.NoError(e.t, err)
}

// advance moves the clock in steps, and receives the provider's events and delivers emails after each.
func (e *mailFaultEnv) advance(steps int, step time.Duration) {
	e.t.Helper()
	for range steps {
		e.Advance(step)
		e.DeliverEvents()
		_, err := e.App.RefreshBilling.Do(e.t.Context())
		require.NoError(e.t, err)
		e.deliver()
	}
}

func (e *mailFaultEnv) unreachable(user *apptest.User) []string {
	e.t.Helper()
	storedUser, org, err := e.Store.UserWithOrganisation(e.t.Context(), user.UserID, user.OrganisationID)
	require.NoError(e.t, err)
	addresses, err := e.App.ListUnreachableEmails.Do(e.t.Context(), identity.Identity{Role: account.Owner}, storedUser, org)
	require.NoError(e.t, err)
	return addresses
}

const (
	reminderSubject     = "Your trial ends on 8 March: $39 AUD then"
	firstReceiptSubject = "Payment received: $39 AUD"
	verificationSubject = "Confirm your email address for Vision"
)

// During the fault the trials end, after a reminder, and carl registers.
func TestMailFaults_EachEmailIsDeliveredOnceAfterTheRepair(t *testing.T) {
	t.Parallel()
	faults := []relayFault{
		{step: "CONNECT", response: "554 no service"},
		{step: "AUTH", response: "535 5.7.8 bad credentials"},
		{step: "MAIL", response: "530 5.7.0 login required"},
		{step: "MAIL", response: "550 5.1.1 unknown sender"},
		{step: "RCPT", response: "550 relay not permitted"},
		{step: "RCPT", response: "550 5.7.1 relaying denied"},
		{step: "RCPT", response: "504 5.5.2 Helo command rejected: need fully-qualified hostname"},
		{step: "RCPT", response: "552 5.2.2 mailbox full"},
		{step: "RCPT", response: "452 4.2.2 mailbox full"},
		{step: "DATA", response: "554 5.7.1 refused"},
		{step: ".", response: "554 content refused"},
		{step: ".", response: "552 5.3.4 too big"},
	}
	for _, step := range []string{"CONNECT", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "."} {
		for _, response := range []string{"421 try later", "451 4.3.0 try later", disconnect, stall} {
			faults = append(faults, relayFault{step: step, response: response})
		}
	}
	for _, fault := range faults {
		t.Run(fault.step+" "+fault.response, func(t *testing.T) {
			t.Parallel()
			e := newMailFaultEnv(t)
			e.relay.setFault(fault)
			e.restartServer()
			e.advance(2, 2*24*time.Hour) // the reminder
			_, err := e.App.SignUp.Do(t.Context(), apptest.Registration("carl"), nil)
			require.NoError(t, err)
			e.restartServer()
			e.advance(2, 2*24*time.Hour) // the charge
			require.NotZero(t, e.relay.faults())
			require.Empty(t, e.relay.takeEmails())

			e.relay.setFault(relayFault{})
			e.advance(2, time.Hour)

			assert.Equal(t, map[relayedEmail]int{
				{"ann@example.com", firstReceiptSubject}: 1, {"bob@example.com", firstReceiptSubject}: 1,
				{"carl@example.com", verificationSubject}: 1,
			}, e.relay.takeEmails())
			assert.Empty(t, e.unreachable(e.ann))
			assert.NotContains(t, e.log.String(), "recipient refused permanently")
			assert.GreaterOrEqual(t, strings.Count(e.log.String(), "level=ERROR"), 1)
			assert.LessOrEqual(t, strings.Count(e.log.String(), "level=ERROR"), 2, "one for each server")
			assert.Contains(t, e.log.String(), "mail server accepts emails again")
			assert.NotContains(t, e.log.String(), "example.com", "logs contain no address")
			e.advance(1, 40*time.Hour)
			assert.Empty(t, e.relay.takeEmails())
			require.NoError(t, e.App.Sweep.Do(t.Context()))
			_, isVerified, err := e.App.VerifyEmail.Do(t.Context(), e.links["carl@example.com"], func(account.User) bool { return true })
			assert.True(t, isVerified, "the link is valid: %v", err)
		})
	}
}

func TestMailFaults_UnknownMailboxBlamesTheAddressOnly(t *testing.T) {
	t.Parallel()
	for _, response := range []string{"550 5.1.1 no such user", "550 5.2.1 disabled", "556 5.1.10 null MX"} {
		e := newMailFaultEnv(t)
		e.relay.setFault(relayFault{"RCPT", response, "ann@example.com"})

		e.advance(2, 2*24*time.Hour)

		assert.Equal(t, map[relayedEmail]int{{"bob@example.com", reminderSubject}: 1}, e.relay.takeEmails())
		assert.Equal(t, []string{"ann@example.com"}, e.unreachable(e.ann), response)
		assert.Empty(t, e.unreachable(e.bob))
		assert.Contains(t, e.log.String(), "recipient refused permanently")
		assert.NotContains(t, e.log.String(), "level=ERROR")
		e.relay.setFault(relayFault{})
		e.advance(4, 24*time.Hour)
		assert.Equal(t, map[relayedEmail]int{{"bob@example.com", firstReceiptSubject}: 1}, e.relay.takeEmails())
	}
}

// A response without a status blames the address if the relay repeats it a day later and accepts the emails of others.
func TestMailFaults_UnclearRefusalBlamesTheAddressAfterADay(t *testing.T) {
	t.Parallel()
	e := newMailFaultEnv(t)
	e.relay.setFault(relayFault{"RCPT", "550 unknown user", "ann@example.com"})
	e.advance(2, 2*24*time.Hour)
	assert.Empty(t, e.unreachable(e.ann), "refused once")
	e.advance(23, time.Hour)
	assert.Empty(t, e.unreachable(e.ann), "refused for less than a day")
	e.advance(2, time.Hour)
	assert.Empty(t, e.unreachable(e.ann), "the relay has accepted no other email in this time")

	_, err := e.App.SignUp.Do(t.Context(), apptest.Registration("carl"), nil)
	require.NoError(t, err)
	e.advance(2, time.Hour)

	assert.Equal(t, []string{"ann@example.com"}, e.unreachable(e.ann))
	assert.Empty(t, e.unreachable(e.bob))
	assert.Equal(t, map[relayedEmail]int{
		{"bob@example.com", reminderSubject}: 1, {"carl@example.com", verificationSubject}: 1,
	}, e.relay.takeEmails())
}

// A stranger registers an organisation with the address of a customer's accountant, and the relay refuses the address.
func TestMailFaults_RegistrationBlamesNoAddressOfAnotherOrganisation(t *testing.T) {
	t.Parallel()
	const address = "accounts@practice.example"
	e := newMailFaultEnv(t)
	_, err := e.Store.UpdateOrganisation(t.Context(), e.ann.OrganisationID, func(o *account.Organisation) error {
		details := o.BillingDetails()
		details.BillingEmail = address
		o.Details, o.DetailsSentTo = &details, o.Billing.CustomerID
		return nil
	})
	require.NoError(t, err)
	e.relay.setFault(relayFault{"RCPT", "550 5.1.1 no such user", address})
	registration := apptest.Registration("stranger")
	registration.Email = address
	_, err = e.App.SignUp.Do(t.Context(), registration, nil)
	require.NoError(t, err)
	e.deliver()
	require.Equal(t, 1, e.relay.faults())

	e.relay.setFault(relayFault{})
	e.advance(2, 2*24*time.Hour)

	assert.Empty(t, e.unreachable(e.ann))
	assert.Equal(t, 1, e.relay.takeEmails()[relayedEmail{address, reminderSubject}])
}
