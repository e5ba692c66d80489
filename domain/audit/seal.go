package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// MinSealInterval is the least time between two seals of a class. It is longer than any transaction, so that the entries of
// a transaction that was running at one seal are committed before the next seal, which covers them.
const MinSealInterval = 5 * time.Minute

// Seal attests the entries of one class between the previous seal and LastID. Its hash depends on those entries and on the
// previous seal, so that no entry can be altered, added or deleted without changing all later seals.
type Seal struct {
	Class    Class
	Number   int64 // 1 for the first seal of the class
	LastID   int64 // the highest id that the seal covers
	SeenID   int64 // the highest id in the log when the seal was made; the next seal covers the entries up to it
	Count    int64 // of the entries
	NewestAt time.Time
	SealedAt time.Time
	Hash     string
}

// IsDue reports whether a seal must follow s. It must if there are new entries since s and MinSealInterval has passed.
// seenID is the highest id in the log. A clock that was set back delays the next seal until it has caught up.
func (s Seal) IsDue(seenID int64, now time.Time) bool {
	hasNewEntries := s.SeenID > s.LastID || seenID > s.SeenID
	return hasNewEntries && (s.Number == 0 || now.Sub(s.SealedAt) >= MinSealInterval)
}

// Next returns the seal that follows s in its class. Call it only if IsDue returns true. entries are those of the class
// after s.LastID and up to s.SeenID, in the order of their ids. seenID is the highest id in the log.
func (s Seal) Next(class Class, entries []Entry, seenID int64, now time.Time) (Seal, error) {
	next := Seal{Class: class, Number: s.Number + 1, LastID: s.SeenID, SeenID: seenID, SealedAt: now}
	digest := newDigest(s, next)
	for _, e := range entries {
		if err := digest.add(e); err != nil {
			return Seal{}, err
		}
		if e.At.After(next.NewestAt) {
			next.NewestAt = e.At
		}
	}
	next.Count, next.Hash = int64(len(entries)), digest.sum()
	return next, nil
}

// ErrAltered is wrapped by the errors of Verify for entries that differ from those that were sealed.
var ErrAltered = errors.New("the entries differ from those that were sealed")

// Verify returns nil if the entries after previous.LastID and up to s.LastID are those that were sealed. With areDeleted,
// Verify also returns nil if all of them were deleted after Retention.
func (s Seal) Verify(previous Seal, entries []Entry, areDeleted bool) error {
	if s.Number != previous.Number+1 || s.LastID != previous.SeenID {
		return fmt.Errorf("seal %d of %s does not follow seal %d: %w", s.Number, s.Class, previous.Number, ErrAltered)
	}
	if areDeleted && len(entries) == 0 && s.Count > 0 {
		return nil
	}
	expected, err := previous.Next(s.Class, entries, s.SeenID, s.SealedAt)
	if err != nil {
		return err
	}
	if expected.Hash != s.Hash || expected.Count != s.Count {
		return fmt.Errorf("seal %d of %s with the entries %d to %d: %w", s.Number, s.Class, previous.LastID+1, s.LastID, ErrAltered)
	}
	return nil
}

// digest computes the hash of a seal.
type digest struct {
	hash interface {
		io.Writer
		Sum(prefix []byte) []byte
	}
}

func newDigest(previous, next Seal) digest {
	d := digest{sha256.New()}
	_, _ = fmt.Fprintf(d.hash, "%s\n%s %d %d %d\n", previous.Hash, next.Class, next.Number, next.LastID, next.SeenID)
	return d
}

// add writes the entry without its note, which can be erased.
func (d digest) add(e Entry) error {
	return json.NewEncoder(d.hash).Encode(struct {
		ID               int64
		At               string
		Organisation     string
		ActorKind        ActorKind
		Actor            string
		Kind             Kind
		Subject          string
		Outcome          Outcome
		Data             Data
		Cause, RequestID string
	}{
		e.ID, e.At.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano), e.OrganisationID, e.Actor.Kind, e.Actor.ID, e.Kind,
		e.Subject, e.Outcome, e.Data, e.Cause, e.RequestID,
	})
}

func (d digest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }
