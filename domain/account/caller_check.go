package account

import (
	"crypto/subtle"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

const (
	// CallerCodeLifetime is the time for which the code of a caller check is valid.
	CallerCodeLifetime = 10 * time.Minute
	// MaxCallerTries is the number of codes that can be entered for one that was sent.
	MaxCallerTries = 3
	// MaxCallerCodes is the number of codes that are sent to an organisation in CallerCodesPeriod.
	MaxCallerCodes = 5
	// CallerCodesPeriod is the period of MaxCallerCodes. It begins with the first code.
	CallerCodesPeriod = time.Hour
)

// CallerCheck proves that a caller reads the emails of a member: the caller tells an operator the code of an email. It unlocks
// nothing. An organisation has one check at a time; only the hash of its code is stored.
type CallerCheck struct {
	OrganisationID string
	UserID         string // the member who got the code
	RequestKey     string // of the operator's action that sent the code
	CodeHash       string // "" if no code can be entered
	ExpiresAt      time.Time
	FailedTries    int
	SentCount      int // codes since SentSince
	SentSince      time.Time
}

// Send replaces the code. It returns RateLimited for more than MaxCallerCodes in CallerCodesPeriod.
func (c *CallerCheck) Send(userID, requestKey, codeHash string, now time.Time) error {
	sentFor := now.Sub(c.SentSince)
	if sentFor >= CallerCodesPeriod || sentFor < 0 {
		c.SentCount, c.SentSince = 0, now
	}
	if c.SentCount >= MaxCallerCodes {
		err := fault.Newf(fault.RateLimited, "%d codes were sent to the organisation in an hour. Try again later.", MaxCallerCodes)
		err.RetryAfter = c.SentSince.Add(CallerCodesPeriod).Sub(now)
		return err
	}
	c.UserID, c.RequestKey, c.CodeHash, c.FailedTries = userID, requestKey, codeHash, 0
	c.ExpiresAt = now.Add(CallerCodeLifetime)
	c.SentCount++
	return nil
}

// RemainingTries returns how many codes can still be entered. It returns Conflict if there is no code, for example because it was
// used, and if it has expired.
func (c *CallerCheck) RemainingTries(now time.Time) (int, error) {
	switch {
	case c.CodeHash == "":
		return 0, fault.New(fault.Conflict, "No code was sent that can be entered.")
	case !now.Before(c.ExpiresAt):
		return 0, fault.New(fault.Conflict, "The code has expired. Send another one.")
	}
	return MaxCallerTries - c.FailedTries, nil
}

// Enter reports whether the hash is that of the code. The right code, and the last try, end the check. Enter returns the errors of
// RemainingTries.
func (c *CallerCheck) Enter(codeHash string, now time.Time) (isRight bool, err error) {
	if _, err := c.RemainingTries(now); err != nil {
		return false, err
	}
	isRight = subtle.ConstantTimeCompare([]byte(codeHash), []byte(c.CodeHash)) == 1
	if !isRight {
		c.FailedTries++
	}
	if isRight || c.FailedTries >= MaxCallerTries {
		c.CodeHash = ""
	}
	return isRight, nil
}
