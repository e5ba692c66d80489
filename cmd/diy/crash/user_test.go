package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// user is a user with a browser and a record of the acknowledged requests.
type user struct {
	*client
	*record
	harness *harness
	rnd     *rand.Rand
	starts  int64 // of servers at the last checkData
	// signedOut is true for a user of prepareOverdueUsers until it signs in again.
	signedOut bool
}

// errStopped ends a user after a problem was reported.
var errStopped = errors.New("stopped")

// step is an action of a user, during which nothing is compared.
type step func(*user, context.Context) error

// runUsers runs one user after another.
func (h *harness) runUsers(ctx context.Context, rnd *rand.Rand) {
	for ctx.Err() == nil && !h.done.Load() {
		u := h.nextUser(rnd)
		if err := u.run(ctx); err != nil && !errors.Is(err, errStopped) {
			h.report.addLoss("user %d failed: %v", u.number, err)
		}
	}
}

// nextUser returns a new user, or sometimes one whose bill is overdue.
func (h *harness) nextUser(rnd *rand.Rand) *user {
	if rnd.IntN(2) == 0 {
		select {
		case u := <-h.overdue:
			return u
		default:
		}
	}
	return &user{harness: h, rnd: rnd, client: newClient(&h.site)}
}

func (u *user) run(ctx context.Context) error {
	steps := []step{(*user).register, (*user).verify, (*user).signIn, (*user).createCustomer, (*user).startSubscription}
	switch {
	case u.harness.stripe == nil && !u.signedOut && u.rnd.IntN(5) == 0:
		return u.runSteps(ctx, append(steps[:len(steps)-1], (*user).startFromAccount, (*user).payAgain, (*user).subscribeAgain))
	case u.signedOut:
		steps = []step{(*user).signIn, (*user).settleOverdue}
	}
	more := []step{(*user).addCard, (*user).changePlan, (*user).changePlan, (*user).setDefault, (*user).deleteCard,
		(*user).endAndResume, (*user).scheduleAndKeep, (*user).scheduleAndReplace, (*user).changeUnpaid}
	for range 3 + u.rnd.IntN(6) {
		steps = append(steps, more[u.rnd.IntN(len(more))])
	}
	return u.runSteps(ctx, steps)
}

// runSteps runs the steps until the user's plan has ended or the users have to stop.
func (u *user) runSteps(ctx context.Context, steps []step) error {
	for _, do := range steps {
		if u.harness.done.Load() {
			return nil
		}
		if err := u.do(ctx, do); err != nil {
			return err
		}
		if u.ended != "" {
			return nil
		}
	}
	return nil
}

// do runs a step. After a restart of the server it first checks that no acknowledged data is missing.
func (u *user) do(ctx context.Context, do step) error {
	u.harness.paused.RLock()
	defer u.harness.paused.RUnlock()
	if u.record == nil {
		u.record = u.harness.recorder.add()
	}
	if starts := u.harness.site.starts.Load(); u.customer != "" && !u.signedOut && starts != u.starts {
		u.starts = starts
		if err := u.checkData(ctx); err != nil {
			return err
		}
	}
	return do(u, ctx)
}

// failUnexpected reports a response and ends the user.
func (u *user) failUnexpected(what string, res response) error {
	u.harness.report.addLoss("user %d: %s: %s (sent again: %t)", u.number, what, res, res.repeated)
	return errStopped
}

func (u *user) countAcknowledged() { u.harness.report.countAcknowledged() }

func (u *user) name() string { return "Clinic " + strconv.Itoa(u.number) }

func (u *user) email() string { return fmt.Sprintf("ann%d@clinic.example", u.number) }

const password = "Secret-pass-1"

func registration(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ann", "lastName": "King", "org": org, "email": email, "password": password,
		"contact": "+61 2 9000 0000", "billing_address": map[string]string{
			"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales", "postal_code": "2000", "country": "AU",
		},
	}
}

// register signs up. A duplicate is a success if an earlier request had no response.
func (u *user) register(ctx context.Context) error {
	if _, err := u.get(ctx, "/vc-admin/diy/config.json"); err != nil {
		return err
	}
	res, err := u.post(ctx, "/vc-admin/signup", registration(u.name(), u.email()))
	switch {
	case err != nil:
		return err
	case res.status == http.StatusCreated:
		var created struct{ User, Org struct{ ID string } }
		if err := res.decode(&created); err != nil {
			return err
		}
		u.user, u.org = created.User.ID, created.Org.ID
	case !res.repeated || !res.isError("ERRDUPLICATE"):
		return u.failUnexpected("sign-up", res)
	}
	u.countAcknowledged()
	return nil
}

var link = regexp.MustCompile(`/vc-admin/auth/verify\?token=[\w-]+`)

// verify follows the link of the email, and requests another email if it takes too long.
func (u *user) verify(ctx context.Context) error {
	resendAt := time.Now().Add(time.Duration(u.rnd.IntN(3000)) * time.Millisecond)
	for start := time.Now(); time.Since(start) < timeout; sleep(ctx, 50*time.Millisecond) {
		path, err := u.verificationLink(ctx)
		if err != nil {
			return err
		}
		if path != "" {
			return u.openLink(ctx, path)
		}
		if time.Now().After(resendAt) {
			resendAt = time.Now().Add(5 * time.Second)
			if err := u.resend(ctx); err != nil {
				return err
			}
		}
	}
	u.harness.report.addLoss("user %d: no email", u.number)
	return errStopped
}

func (u *user) verificationLink(ctx context.Context) (path string, err error) {
	res, err := u.get(ctx, "/dev/mailbox.json")
	if err != nil {
		return "", err
	}
	var emails []struct{ To, Text string }
	if err := res.decode(&emails); err != nil {
		return "", err
	}
	for _, email := range emails {
		if email.To == u.email() {
			return link.FindString(email.Text), nil
		}
	}
	return "", nil
}

func (u *user) openLink(ctx context.Context, path string) error {
	res, err := u.get(ctx, path)
	if err != nil {
		return err
	}
	if token, mustConfirm := strings.CutPrefix(res.location, "/vc-admin/auth/confirm?token="); mustConfirm {
		return u.confirm(ctx, token)
	}
	if res.location != "/vc-admin/dash?verified=1" {
		return u.failUnexpected("the email's link", res)
	}
	u.verified = true
	u.countAcknowledged()
	return nil
}

// confirm verifies with the password, as a browser whose sign-up had no response has to.
func (u *user) confirm(ctx context.Context, token string) error {
	res, err := u.post(ctx, "/vc-admin/auth/verify/confirm", map[string]string{"token": token, "password": password})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK {
		return u.failUnexpected("confirming the registration", res)
	}
	u.verified = true
	u.countAcknowledged()
	return nil
}

func (u *user) resend(ctx context.Context) error {
	res, err := u.post(ctx, "/vc-admin/auth/verify/resend", map[string]string{"email": u.email()})
	if err == nil && res.status != http.StatusAccepted {
		err = u.failUnexpected("another email", res)
	}
	return err
}

func (u *user) signIn(ctx context.Context) error {
	res, err := u.post(ctx, "/auth/login", map[string]string{"username": u.email(), "password": password})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK {
		return u.failUnexpected("sign-in", res)
	}
	u.countAcknowledged()
	u.signedOut = false
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	u.checkID("user", &u.user, d.ID)
	u.checkID("organisation", &u.org, d.OrgID)
	return nil
}

// checkID records an id, or compares it with the recorded one.
func (u *user) checkID(name string, recorded *string, id string) {
	if *recorded == "" {
		*recorded = id
	}
	if *recorded != id {
		u.harness.report.addDuplicate("user %d: %s %s, before %s", u.number, name, id, *recorded)
	}
}

// detail is the response to /vc-admin/user/detail.
type detail struct {
	ID, OrgID   string
	OpenPayment *struct {
		InvoiceID string
		Amount    int64
	}
	Processing *struct {
		InvoiceID string
		Amount    int64
	}
	License *struct {
		ID, Interval string
		Raw          struct{ Metadata struct{ Name string } }
	}
}

// priceID returns the price of the license, or "".
func (d *detail) priceID() string {
	if d.License == nil {
		return ""
	}
	return d.License.Raw.Metadata.Name + "_" + d.License.Interval
}

func (u *user) detail(ctx context.Context) (*detail, error) {
	res, err := u.get(ctx, "/vc-admin/user/detail")
	if err != nil {
		return nil, err
	}
	var got struct{ Detail *detail }
	if err := res.decode(&got); err != nil {
		return nil, err
	}
	if got.Detail == nil {
		return nil, u.failUnexpected("the session", res)
	}
	return got.Detail, nil
}

// checkData checks that the acknowledged data is displayed.
func (u *user) checkData(ctx context.Context) error {
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	if d.OrgID != u.org {
		u.harness.report.addLoss("user %d: organisation %s became %s", u.number, u.org, d.OrgID)
	}
	if u.subscription != "" && u.account == "" && (d.License == nil || d.License.ID != u.subscription || d.priceID() != u.price) {
		u.harness.report.addLoss("user %d: %s on %s became %+v", u.number, u.subscription, u.price, d.License)
	}
	return u.checkCards(ctx)
}

func (u *user) checkCards(ctx context.Context) error {
	listed, err := u.listCards(ctx)
	if err != nil {
		return err
	}
	if card, isMissing := u.missingCard(listed); isMissing {
		u.harness.report.addLoss("user %d: card %s", u.number, card)
	}
	if u.hasExtraCard(listed) {
		u.harness.report.addDuplicate("user %d: cards %v, acknowledged %v", u.number, listed, u.cards)
	}
	return nil
}

func (u *user) listCards(ctx context.Context) ([]string, error) {
	res, err := u.get(ctx, "/vc-admin/org/customer/cards")
	if err != nil {
		return nil, err
	}
	if res.status != http.StatusOK {
		return nil, fmt.Errorf("cards: %s", res)
	}
	var list struct{ Data []struct{ ID string } }
	if err := res.decode(&list); err != nil {
		return nil, err
	}
	var ids []string
	for _, card := range list.Data {
		ids = append(ids, card.ID)
	}
	return ids, nil
}
