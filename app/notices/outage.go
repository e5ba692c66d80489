package notices

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// outageReportDelay is the time after which an outage with temporary failures is reported as an error. A shorter one may end
// without a repair, for example when the mail server has restarted. The alert in docs/operations.md has the same delay.
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

// recordFailure records a failed delivery of the email, and returns true if it must be logged as an error. Each outage is
// reported once: immediately if the failure is permanent, otherwise after outageReportDelay. The refusal of a single
// email, while others are accepted, is reported for its first attempt only.
func (o *outage) recordFailure(email storage.Email, isPermanent bool, now time.Time) (report bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.since.IsZero() {
		o.since = now
	}
	isLong := now.Sub(o.since) >= outageReportDelay
	isFirstRefusal := isPermanent && (email.Attempts == 1 || !o.hasAccepted())
	if o.isReported || !isLong && !isFirstRefusal {
		return false
	}
	o.isReported = true
	return true
}

func (o *outage) hasAccepted() bool { return !o.acceptedAt.IsZero() }

// recordAccepted records that the mail server has accepted an email, and logs the end of an outage that was reported.
func (o *outage) recordAccepted(ctx context.Context, log *slog.Logger, recipient string, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.isReported {
		log.InfoContext(ctx, "mail server accepts emails again", "since", o.since)
	}
	o.since, o.isReported = time.Time{}, false
	o.acceptedRecipient, o.acceptedAt = recipient, now
}

// hasAcceptedOther reports whether the last accepted email had another recipient and was accepted after the given time. It
// considers only the last one, so it may return false although an earlier email had another recipient.
func (o *outage) hasAcceptedOther(recipient string, after time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.acceptedAt.After(after) && o.acceptedRecipient != recipient
}
