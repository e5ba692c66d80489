package operators

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// callerStore is the part of the store that checks of callers need.
type callerStore interface {
	storage.Teams
	storage.CallerChecks
	storage.AuditLog
}

// codeLength is the number of digits of a code.
const codeLength = 6

// hashCode returns a hash of the code that an action with the key has sent. Without the secret key, a reader of the
// database could find the code by hashing all codes.
func hashCode(secretKey []byte, organisationID, requestKey, code string) string {
	mac := hmac.New(sha256.New, secretKey)
	_, _ = mac.Write([]byte("caller code\x00" + organisationID + "\x00" + requestKey + "\x00" + code))
	return hex.EncodeToString(mac.Sum(nil))
}

// SendCallerCode emails a code to a member, who reads it to the operator on the phone.
type SendCallerCode struct {
	store  callerStore
	clock  clock.Clock
	sender emails.Sender
	link   string // that emails open
	key    []byte // of the hashes
	log    *slog.Logger
}

// Members returns the members who can get a code: those whose address is verified. It returns Conflict if there are none.
func (u *SendCallerCode) Members(ctx context.Context, organisationID string) ([]account.Member, error) {
	if err := Require(ctx, MayVerifyCallers); err != nil {
		return nil, err
	}
	return u.members(ctx, organisationID)
}

func (u *SendCallerCode) members(ctx context.Context, organisationID string) ([]account.Member, error) {
	team, err := u.store.Team(ctx, organisationID)
	if err != nil {
		return nil, err
	}
	verified := slices.DeleteFunc(team.Members, func(m account.Member) bool { return !m.Verified })
	if len(verified) == 0 {
		return nil, fault.New(fault.Conflict, "No member has confirmed an email address.")
	}
	return verified, nil
}

// Do emails six random digits to the member. They replace an earlier code. A repeat with the same key sends nothing. Do
// returns NotFound for a user who is not in Members, and RateLimited for too many codes; see account.CallerCheck.
func (u *SendCallerCode) Do(ctx context.Context, req ActionRequest, userID string) error {
	if err := Require(ctx, MayVerifyCallers); err != nil {
		return err
	}
	return actOnce(ctx, u.store, req, func(req ActionRequest) error {
		members, err := u.members(ctx, req.OrganisationID)
		if err != nil {
			return err
		}
		for _, member := range members {
			if member.UserID == userID {
				return u.send(ctx, req, member)
			}
		}
		return fault.New(fault.NotFound, "There is no such member.")
	})
}

func (u *SendCallerCode) send(ctx context.Context, req ActionRequest, member account.Member) error {
	number, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return err
	}
	code := fmt.Sprintf("%0*d", codeLength, number)
	email := emails.CallerCode(u.sender, member.FirstName, u.link, code, account.CallerCodeLifetime)
	email.To = member.Email
	entry := req.entry(ctx, audit.OperatorSentCode)
	entry.Subject = member.UserID
	now := u.clock.Now()
	err = u.store.UpdateCallerCheck(ctx, req.OrganisationID, now,
		func(check *account.CallerCheck) (effects storage.CallerCheckEffects, err error) {
			effects.Email, effects.Entry = &email, *entry
			return effects, check.Send(member.UserID, req.Key, hashCode(u.key, req.OrganisationID, req.Key, code), now)
		})
	if err == nil {
		logAction(ctx, u.log, entry.Kind, req)
	}
	return err
}

// EnterCallerCode checks the code that a caller has read to the operator. The audit log contains the result, which
// unlocks no action.
type EnterCallerCode struct {
	store callerStore
	clock clock.Clock
	key   []byte // of the hashes
	log   *slog.Logger
}

// OpenCallerCheck is a check whose code can be entered.
type OpenCallerCheck struct {
	Member         account.Member
	ExpiresAt      time.Time
	RemainingTries int
}

// Check returns the check of the organisation, or Conflict if there is no code that can be entered.
func (u *EnterCallerCode) Check(ctx context.Context, organisationID string) (OpenCallerCheck, error) {
	if err := Require(ctx, MayVerifyCallers); err != nil {
		return OpenCallerCheck{}, err
	}
	check, tries, err := u.open(ctx, organisationID)
	if err != nil {
		return OpenCallerCheck{}, err
	}
	team, err := u.store.Team(ctx, organisationID)
	if err != nil {
		return OpenCallerCheck{}, err
	}
	member, _ := team.Member(check.UserID)
	return OpenCallerCheck{Member: member, ExpiresAt: check.ExpiresAt, RemainingTries: tries}, nil
}

func (u *EnterCallerCode) open(ctx context.Context, organisationID string) (account.CallerCheck, int, error) {
	check, err := u.store.CallerCheck(ctx, organisationID)
	if fault.ReplaceNotFound(err, nil) != nil {
		return check, 0, err
	}
	tries, err := check.RemainingTries(u.clock.Now())
	return check, tries, err
}

// Do enters the code. The request needs no reason and no ticket: the entry of the audit log contains those with which the
// code was sent. Do returns nil for the right code, Invalid for a wrong code while more tries are allowed, and Conflict
// after the last try. A repeat with the same key is not another try: it returns nil after the right code, and Conflict
// after a wrong one.
func (u *EnterCallerCode) Do(ctx context.Context, req ActionRequest, code string) error {
	if err := Require(ctx, MayVerifyCallers); err != nil {
		return err
	}
	code = strings.ReplaceAll(account.CleanCode(code), " ", "")
	if len(code) != codeLength || strings.Trim(code, "0123456789") != "" {
		return fault.Newf(fault.Invalid, "Enter the %d digits of the code.", codeLength)
	}
	check, err := u.store.CallerCheck(ctx, req.OrganisationID)
	if fault.ReplaceNotFound(err, nil) != nil {
		return err
	}
	if req.Reason, req.Ticket, err = u.reasonOf(ctx, check); err != nil {
		return err
	}
	return actOnce(ctx, u.store, req, func(req ActionRequest) error { return u.enter(ctx, req, code) })
}

// reasonOf returns the reason and the ticket with which the code was sent. It returns Conflict if no code was sent.
func (u *EnterCallerCode) reasonOf(ctx context.Context, check account.CallerCheck) (audit.Reason, string, error) {
	if check.RequestKey != "" {
		sent, isFound, err := findEntry(ctx, u.store, check.OrganisationID, check.RequestKey)
		if err != nil || isFound {
			return audit.Reason(sent.Data["reason"]), sent.Data["ticket"], err
		}
	}
	_, err := check.RemainingTries(u.clock.Now())
	return "", "", err
}

// enter stores the try with its entry, and returns an error for a wrong code.
func (u *EnterCallerCode) enter(ctx context.Context, req ActionRequest, code string) error {
	var isRight bool
	var triesLeft int
	now := u.clock.Now()
	err := u.store.UpdateCallerCheck(ctx, req.OrganisationID, now,
		func(check *account.CallerCheck) (effects storage.CallerCheckEffects, err error) {
			isRight, err = check.Enter(hashCode(u.key, req.OrganisationID, check.RequestKey, code), now)
			if err != nil {
				return effects, err
			}
			triesLeft = account.MaxCallerTries - check.FailedTries
			effects.Entry = *req.entry(ctx, audit.OperatorCheckedCaller)
			effects.Entry.Subject = check.UserID
			if !isRight {
				effects.Entry.Outcome, effects.Entry.Data["tries_left"] = audit.Refused, strconv.Itoa(triesLeft)
			}
			return effects, nil
		})
	if err != nil {
		return err
	}
	logAction(ctx, u.log, audit.OperatorCheckedCaller, req)
	switch {
	case isRight:
		return nil
	case triesLeft > 0:
		return fault.Newf(fault.Invalid, "The code is wrong. Tries left: %d.", triesLeft)
	}
	return fault.New(fault.Conflict, "The code is wrong, and this was the last try. The caller is not verified.")
}
