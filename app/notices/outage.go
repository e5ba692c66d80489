package notices

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// outageReportDelay is the time after which an outage is reported as an error although it may end without a repair, for
// example while the mail server restarts. The alert in docs/operations.md has the same delay.
const outageReportDelay = 15 * time.Minute

// outage records whether the mail server accepts the emails of this process. An outage begins with a failed delivery
// and ends when the mail server accepts an email. It is safe for concurrent use.
type outage struct {
	mu         sync.Mutex
	since      time.Time // when the outage began; zero if there is none
	isReported bool

	// acceptedRecipient and acceptedAt are of the last email that the mail server accepted.
	acceptedRecipient string
	acceptedAt        time.Time
}

// mustReport records a failed delivery of the email, and reports whether it must be logged as an error. Each outage is
// reported once: immediately if the failure is permanent, otherwise after outageReportDelay. The refusal of a single
// email, while others are accepted, is reported for its first attempt only.
func (o *outage) mustReport(email storage.Email, isPermanent bool, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = now
	}
	isOver := now.Sub(o.since) >= outageReportDelay
	isNew := isPermanent && (email.Attempts == 1 || !o.hasAccepted())
	if o.isReported || !isOver && !isNew {
		return false
	}
	o.isReported = true
	return true
}

func (o *outage) hasAccepted() bool { return !o.acceptedAt.IsZero() }

// end records that the mail server has accepted an email, and logs the end of an outage that was reported.
func (o *outage) end(ctx context.Context, log *slog.Logger, recipient string, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isReported {
		log.InfoContext(ctx, "mail server accepts emails again", "since", o.since)
	}
	o.since, o.isReported = time.Time{}, false
	o.acceptedRecipient, o.acceptedAt = recipient, now
}

// hasAcceptedOther reports whether the last email that the mail server accepted was accepted after the given time and had
// another recipient. It may return false although there was such an email. If the recipient itself was accepted, its
// address is not at fault.
func (o *outage) hasAcceptedOther(recipient string, after time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.acceptedAt.After(after) && o.acceptedRecipient != recipient
}
