package crash

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"
)

// isUnfinished reports whether the outcome of a charge at a gateway is unknown, because the server that sent it was killed.
// Another server takes the charge over after a while; see waitUntilCharged.
func (u *user) isUnfinished(res response) bool {
	return u.harness.usesGateway && res.status == http.StatusOK && bytes.Contains(res.body, []byte(`"status":"processing"`))
}

// isWaiting reports whether a request is refused while another request charges a card at a gateway.
func (u *user) isWaiting(res response) bool {
	return u.harness.usesGateway && res.isError("ERRCONFLICT") && bytes.Contains(res.body, []byte(`"inProgress":true`))
}

// waitUntilCharged waits until no charge of a card at a gateway is processing, and then returns the user detail.
func (u *user) waitUntilCharged(ctx context.Context) (*detail, error) {
	for {
		d, err := u.detail(ctx)
		if err != nil || d.Processing == nil || !u.harness.usesGateway || u.bankAccount != "" {
			return d, err
		}
		sleep(ctx, 20*time.Millisecond)
	}
}

// recordChargedCard records the card that a request has charged and saved as the default. A gateway saves the card of a token
// under another id, which the list of cards contains.
func (u *user) recordChargedCard(ctx context.Context, card, number string) error {
	if u.harness.usesGateway {
		if _, err := u.waitUntilCharged(ctx); err != nil {
			return err
		}
		listedCards, err := u.listCards(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(listedCards, func(id string) bool { return u.hasExtraCard([]string{id}) })
		if i < 0 {
			u.harness.report.addLoss("user %d: the charged card is not in %v", u.userNumber, listedCards)
			return errStopped
		}
		card = listedCards[i]
	}
	u.saveCard(card, number)
	return nil
}
