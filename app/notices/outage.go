package notices

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vc-admin/diy/ports/storage"
)

// outageReportDelay is the time after which an outage with temporary failures is reported as an error. A shorter outage
// needs no repair, for example while the mail server restarts. The alert in docs/operations.md has the same delay.
const outageReportDelay = 15 * time.Minute

// outageTracker records whether the mail server accepts the emails of this process. An outage begins with a failed delivery
// and ends when the mail server accepts an email. An outageTracker is safe for concurrent use.
type outageTracker struct {
	mu         sync.Mutex
	since      time.Time // when the outage began; zero if there is none
	isReported bool

	// acceptedRecipient and acceptedAt describe the last email that the mail server accepted.
	acceptedRecipient string
	acceptedAt        time.Time
}

// recordFailure records a failed delivery of the email, and returns true if it must be logged as an error. Each outage is
// reported once: immediately if the failure is permanent, otherwise after outageReportDelay. The refusal of a single
// email, while others are accepted, is reported for its first attempt only.
func (t *outageTracker) recordFailure(email storage.Email, isPermanent bool, now time.Time) (report bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.since.IsZero() {
		t.since = now
	}
	isLong := now.Sub(t.since) >= outageReportDelay
	isFirstRefusal := isPermanent && (email.Attempts == 1 || !t.hasAccepted())
	if t.isReported || !isLong && !isFirstRefusal {
		return false
	}
	t.isReported = true
	return true
}

func (t *outageTracker) hasAccepted() bool { return !t.acceptedAt.IsZero() }

// recordAccepted records that the mail server has accepted an email, and logs the end of an outage that was reported.
func (t *outageTracker) recordAccepted(ctx context.Context, log *slog.Logger, recipient string, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isReported {
		log.InfoContext(ctx, "mail server accepts emails again", "since", t.since)
	}
	t.since, t.isReported = time.Time{}, false
	t.acceptedRecipient, t.acceptedAt = recipient, now
}

// hasAcceptedOther reports whether the last accepted email had another recipient and was accepted after the given time. It
// considers only the last one, so it may return false although an earlier email had another recipient.
func (t *outageTracker) hasAcceptedOther(recipient string, after time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acceptedAt.After(after) && t.acceptedRecipient != recipient
}
