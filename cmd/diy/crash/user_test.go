package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
)

// user is a user with a browser and a record of the acknowledged requests.
type user struct {
	*client
	*record
	harness           *harness
	rnd               *rand.Rand
	checkedStartCount int64 // number of started servers at the last checkAcknowledgedData
	// isSignedOut is true for a user of prepareOverdueUsers until it signs in again.
	isSignedOut bool
}

// errStopped ends the steps of a user after a reported problem.
var errStopped = errors.New("stopped")

// step is an action of a user. No comparison runs during it.
type step func(*user, context.Context) error

// runUsers runs one user after another.
func (h *harness) runUsers(ctx context.Context, rnd *rand.Rand) {
	for ctx.Err() == nil && !h.isStopping.Load() {
		u := h.nextUser(rnd)
		if err := u.run(ctx); err != nil && !errors.Is(err, errStopped) {
			h.report.addLoss("user %d failed: %v", u.userNumber, err)
		}
	}
}

// nextUser returns a new user, or sometimes one whose invoice is overdue.
func (h *harness) nextUser(rnd *rand.Rand) *user {
	if rnd.IntN(2) == 0 {
		select {
		case u := <-h.overdueUsers:
			return u
		default:
		}
	}
	return &user{harness: h, rnd: rnd, client: newClient(&h.launcher)}
}

// registrationSteps are the first steps of every user.
var registrationSteps = []step{(*user).register, (*user).openVerificationEmail, (*user).signIn, (*user).createCustomer}

// run runs the steps of a new user, or of a user whose invoice is overdue. Some new users pay from a bank account; all others
// continue with random steps.
func (u *user) run(ctx context.Context) error {
	var steps []step
	switch {
	case u.isSignedOut:
		steps = []step{(*user).signIn, (*user).settleOverdueInvoice}
	case u.harness.stripe == nil && u.rnd.IntN(5) == 0:
		bankSteps := []step{(*user).subscribeFromBankAccount, (*user).payProcessingInvoice, (*user).subscribeWhileProcessing}
		return u.runSteps(ctx, slices.Concat(registrationSteps, bankSteps))
	default:
		steps = slices.Concat(registrationSteps, []step{(*user).subscribeRandomly})
	}
	furtherSteps := []step{
		(*user).addRandomCard, (*user).changePlan, (*user).changePlan, (*user).setDefaultCard, (*user).deleteCard,
		(*user).endAndResume, (*user).scheduleAndCancel, (*user).scheduleAndReplace, (*user).changeWithDeclinedCard,
	}
	for range 3 + u.rnd.IntN(6) {
		steps = append(steps, furtherSteps[u.rnd.IntN(len(furtherSteps))])
	}
	return u.runSteps(ctx, steps)
}

// runSteps runs the steps until the user's plan has ended or the users have to stop.
func (u *user) runSteps(ctx context.Context, steps []step) error {
	for _, s := range steps {
		if u.harness.isStopping.Load() {
			return nil
		}
		if err := u.runStep(ctx, s); err != nil {
			return err
		}
		if u.endedSubscriptionID != "" {
			return nil
		}
	}
	return nil
}

// runStep runs a step. After a restart of the server it first checks that no acknowledged data is missing.
func (u *user) runStep(ctx context.Context, s step) error {
	u.harness.stepLock.RLock()
	defer u.harness.stepLock.RUnlock()
	if u.record == nil {
		u.record = u.harness.recorder.addRecord()
	}
	if starts := u.harness.launcher.startCount.Load(); u.customerID != "" && !u.isSignedOut && starts != u.checkedStartCount {
		u.checkedStartCount = starts
		if err := u.checkAcknowledgedData(ctx); err != nil {
			return err
		}
	}
	return s(u, ctx)
}

// reportUnexpectedResponse reports a response and returns errStopped.
func (u *user) reportUnexpectedResponse(what string, res response) error {
	u.harness.report.addLoss("user %d: %s: %s (repeated: %t)", u.userNumber, what, res, res.wasRepeated)
	return errStopped
}

func (u *user) countAcknowledgement() { u.harness.report.countAcknowledgement() }

func (u *user) name() string { return "Clinic " + strconv.Itoa(u.userNumber) }

func (u *user) email() string { return fmt.Sprintf("ann%d@clinic.example", u.userNumber) }

// recordOrCheckID records an ID or compares it with the recorded one.
func (u *user) recordOrCheckID(name string, recorded *string, id string) {
	if *recorded == "" {
		*recorded = id
	}
	if *recorded != id {
		u.harness.report.addDuplicate("user %d: %s %s, before %s", u.userNumber, name, id, *recorded)
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
	var result struct{ Detail *detail }
	if err := res.decode(&result); err != nil {
		return nil, err
	}
	if result.Detail == nil {
		return nil, u.reportUnexpectedResponse("the session", res)
	}
	return result.Detail, nil
}

// checkAcknowledgedData checks that the responses contain the acknowledged data.
func (u *user) checkAcknowledgedData(ctx context.Context) error {
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	if d.OrgID != u.orgID {
		u.harness.report.addLoss("user %d: organisation %s became %s", u.userNumber, u.orgID, d.OrgID)
	}
	if u.subscriptionID != "" && u.bankAccount == "" &&
		(d.License == nil || d.License.ID != u.subscriptionID || d.priceID() != u.priceID) {
		u.harness.report.addLoss("user %d: %s on %s became %+v", u.userNumber, u.subscriptionID, u.priceID, d.License)
	}
	return u.checkCards(ctx)
}

func (u *user) checkCards(ctx context.Context) error {
	listedCards, err := u.listCards(ctx)
	if err != nil {
		return err
	}
	if card, isMissing := u.missingCard(listedCards); isMissing {
		u.harness.report.addLoss("user %d: card %s", u.userNumber, card)
	}
	if u.hasExtraCard(listedCards) {
		u.harness.report.addDuplicate("user %d: cards %v, acknowledged %v", u.userNumber, listedCards, u.cards)
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
