// Package auditlog contains the use cases of the audit log itself: sealing, verifying, exporting and shortening it, and
// showing an organisation its part. The entries are stored by the use cases that they report.
package auditlog

import (
	"context"
	"errors"
	"log/slog"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// pageSize is the number of entries or seals that are read at a time.
const pageSize = 1000

// UseCases contains the use cases of the package.
type UseCases struct {
	SealAuditLog   *SealAuditLog
	VerifyAuditLog *VerifyAuditLog
	ExportAuditLog *ExportAuditLog
	ShowActivity   *ShowActivity // for members of the organisation
}

// Store is the storage of the use cases.
type Store interface {
	storage.AuditLog
	storage.Teams
}

// New returns the use cases, connected with the ports. It calls no port.
func New(store Store, clock clock.Clock, log *slog.Logger) UseCases {
	return UseCases{
		SealAuditLog:   &SealAuditLog{store: store, clock: clock, log: log},
		VerifyAuditLog: &VerifyAuditLog{store: store},
		ExportAuditLog: &ExportAuditLog{store: store},
		ShowActivity:   &ShowActivity{store: store},
	}
}

// SealAuditLog seals the new entries, and deletes those that are not kept any longer.
type SealAuditLog struct {
	store storage.AuditLog
	clock clock.Clock
	log   *slog.Logger
}

// Do returns the number of new seals. It logs each seal, so that a person who can write to the database can't replace them
// without a trace. Run it on one server at a time, every few minutes.
func (u *SealAuditLog) Do(ctx context.Context) (int, error) {
	seals, err := u.store.SealAuditLog(ctx, u.clock.Now())
	if err != nil {
		return 0, err
	}
	for _, s := range seals {
		u.log.InfoContext(ctx, "audit log sealed", "class", s.Class, "seal", s.Number, "entries", s.Count, "last", s.LastID, "hash", s.Hash)
	}
	count, err := u.store.SweepAuditLog(ctx)
	if count > 0 {
		u.log.InfoContext(ctx, "old entries of the audit log deleted", "entries", count)
	}
	return len(seals), err
}

// VerifyAuditLog compares the entries with their seals.
type VerifyAuditLog struct{ store storage.AuditLog }

// Verification is the result of VerifyAuditLog for a class.
type Verification struct {
	Last     audit.Seal // the newest seal; compare its hash with the server's log
	Entries  int64      // that were compared
	Deleted  int64      // that were deleted after audit.Retention
	Problems []error    // of the seals that don't match, each wraps audit.ErrAltered
}

// Do verifies all seals of a class. Entries that are newer than the last seal are not verified.
func (u *VerifyAuditLog) Do(ctx context.Context, class audit.Class) (result Verification, err error) {
	newest, err := u.newestSeal(ctx, class)
	if err != nil {
		return result, err
	}
	for result.Last.Number < newest.Number {
		seals, err := u.store.AuditSeals(ctx, class, result.Last.Number, pageSize)
		if err != nil || len(seals) == 0 {
			return result, err
		}
		for _, seal := range seals {
			canBeDeleted := class == audit.Access && newest.SealedAt.Sub(seal.NewestAt) >= audit.Retention
			if err := u.verify(ctx, &result, seal, canBeDeleted); err != nil {
				return result, err
			}
		}
	}
	return result, nil
}

// verify adds the seal that follows result.Last to the result.
func (u *VerifyAuditLog) verify(ctx context.Context, result *Verification, seal audit.Seal, canBeDeleted bool) error {
	entries, err := u.entries(ctx, result.Last, seal)
	if err != nil {
		return err
	}
	switch err := seal.Verify(result.Last, entries, canBeDeleted); {
	case errors.Is(err, audit.ErrAltered):
		result.Problems = append(result.Problems, err)
	case err != nil:
		return err
	}
	if len(entries) == 0 {
		result.Deleted += seal.Count
	}
	result.Entries += int64(len(entries))
	result.Last = seal
	return nil
}

// newestSeal returns the last seal of the class, or the zero Seal.
func (u *VerifyAuditLog) newestSeal(ctx context.Context, class audit.Class) (newest audit.Seal, err error) {
	for {
		seals, err := u.store.AuditSeals(ctx, class, newest.Number, pageSize)
		if err != nil || len(seals) == 0 {
			return newest, err
		}
		newest = seals[len(seals)-1]
	}
}

// entries returns the entries that the seal covers.
func (u *VerifyAuditLog) entries(ctx context.Context, previous, seal audit.Seal) (entries []audit.Entry, err error) {
	if seal.LastID <= previous.LastID {
		return nil, nil
	}
	query := storage.AuditQuery{Class: seal.Class, AfterID: previous.LastID, UntilID: seal.LastID, Limit: pageSize}
	err = forEach(ctx, u.store, query, func(e audit.Entry) error {
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// forEach calls fn with the entries of the query, in the order of their ids.
func forEach(ctx context.Context, store storage.AuditLog, query storage.AuditQuery, fn func(audit.Entry) error) error {
	query.Limit = pageSize
	for {
		entries, err := store.AuditEntries(ctx, query)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			if err := fn(e); err != nil {
				return err
			}
		}
		query.AfterID = entries[len(entries)-1].ID
	}
}

// ExportAuditLog reads the log for an operator.
type ExportAuditLog struct{ store storage.AuditLog }

// Do calls write with each entry of the query, in the order of their ids. The actor of ctx is the operator; see
// audit.WithActor. Do first stores that the operator has exported the log in the format, so an export of all entries
// contains this entry.
func (u *ExportAuditLog) Do(ctx context.Context, query storage.AuditQuery, format string, write func(audit.Entry) error) error {
	entry := audit.Entry{OrganisationID: query.OrganisationID, Kind: audit.OperatorExported, Data: audit.Data{"format": format}}
	if err := u.store.AddAuditEntries(ctx, entry); err != nil {
		return err
	}
	return forEach(ctx, u.store, query, write)
}
