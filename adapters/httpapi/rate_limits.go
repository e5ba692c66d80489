package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// rateLimitTimeout limits one access to the counters.
const rateLimitTimeout = 5 * time.Second

// rateLimit limits how often an email, an address, a browser or an organisation may try something.
type rateLimit struct {
	name string // part of the counter's key
	ratelimit.Limit
	isExempt func(error) bool // reports whether a try with this outcome does not count; nil if every try counts
}

// docs/security.md explains the numbers of the rate limits. Limits per address apply to an IPv4 address or the /64
// network of an IPv6 address. See scaleToWiderNetwork for the /48 network around it. A browser in which a user signed in
// before has separate limits, so that others can't lock the user out.
var (
	guessesPerEmail   = rateLimit{"guesses of an email", perHour(10), isNotWrongPassword}
	guessesPerAddress = rateLimit{"guesses of an address", perHour(30), isNotWrongPassword}
	guessesPerBrowser = rateLimit{"guesses of a known browser", perHour(10), isNotWrongPassword}
	signInsPerAddress = rateLimit{"sign-ins of an address", perHour(600), nil}
	signInsPerBrowser = rateLimit{"sign-ins of a known browser", perHour(60), nil}

	codesPerEmail             = rateLimit{"codes of an email", perHour(10), isNotWrongCode}
	codesPerBrowser           = rateLimit{"codes of a known browser", perHour(10), isNotWrongCode}
	passkeyRequestsPerAddress = rateLimit{"passkey requests of an address", perHour(3000), nil}
	passkeySignInsPerAddress  = rateLimit{"passkey sign-ins of an address", perHour(600), nil}
	passwordGuessesPerUser    = rateLimit{"guesses of a signed-in user's password", perHour(10), isNotWrongCurrentPassword}
	profileEditsPerUser       = rateLimit{"profile edits of a user", perHour(30), isInvalid}
	emailChangesPerUser       = rateLimit{"email changes of a user", perHour(5), sentNoEmail}
	emailChangesPerEmail      = rateLimit{"email changes to an email", perHour(3), sentNoEmail}
	emailCancelsPerUser       = rateLimit{"canceled email changes of a user", perHour(30), nil}
	unknownLinksPerAddress    = rateLimit{"unknown links of an address", perHour(20), isKnownLink}
	sessionEndsPerUser        = rateLimit{"sessions ended by a user", perHour(30), nil}
	factorsPerUser            = rateLimit{"factors of a user", perHour(30), nil}

	memberEditsPerUser         = rateLimit{"changes of members by a user", perHour(30), nil}
	switchesPerUser            = rateLimit{"switches of a user", perHour(60), nil}
	invitationsPerEmail        = rateLimit{"invitations to an email", perHour(3), sentNoEmail}
	invitationsPerOrganisation = rateLimit{"invitations of an organisation", perHour(20), sentNoEmail}
	invitationsPerAddress      = rateLimit{"invitations of an address", perHour(20), sentNoEmail}
	acceptancesPerAddress      = rateLimit{"acceptances of an address", perHour(20), isInvalid}

	signUpsPerAddress = rateLimit{"sign-ups of an address", perHour(20), isInvalid}
	signUpsPerEmail   = rateLimit{"sign-ups with an email", perHour(10), isInvalid}

	resendsPerEmail   = rateLimit{"resends to an email", perHour(3), nil}
	resendsPerAddress = rateLimit{"resends of an address", perHour(20), nil}

	confirmationsPerEmail   = rateLimit{"billing email confirmations to an email", perHour(3), sentNoEmail}
	confirmationsPerAddress = rateLimit{"billing email confirmations of an address", perHour(20), sentNoEmail}

	resetEmailsPerEmail   = rateLimit{"password reset emails to an email", perHour(3), nil}
	resetEmailsPerAddress = rateLimit{"password reset emails of an address", perHour(20), nil}
	resetsPerAddress      = rateLimit{"password resets of an address", perHour(20), isInvalid}

	cardsPerOrganisation    = rateLimit{"cards of an organisation", perHour(20), nil}
	cardsPerAddress         = rateLimit{"cards of an address", perHour(100), nil}
	paymentsPerOrganisation = rateLimit{"payments of an organisation", perHour(30), nil}
	paymentsPerAddress      = rateLimit{"payments of an address", perHour(150), nil}
	quotesPerOrganisation   = rateLimit{"quotes of an organisation", perHour(60), nil}
	quotesPerAddress        = rateLimit{"quotes of an address", perHour(300), nil}
	detailsPerOrganisation  = rateLimit{"billing details of an organisation", perHour(30), nil}
	detailsPerAddress       = rateLimit{"billing details of an address", perHour(150), nil}

	exportsPerOrganisation  = rateLimit{"exports of an organisation", perHour(5), nil}
	erasuresPerOrganisation = rateLimit{"requests for an erasure of an organisation", perHour(10), isInvalid}

	transferReportsPerOrganisation = rateLimit{"transfer reports of an organisation", perHour(10), nil}
)

// widerNetworkFactor is the ratio of the limits of a /48 network to those of a /64 network. A /48 network can have many
// users, because a mobile provider gives each phone its own /64 network.
const widerNetworkFactor = 10

// scaleToWiderNetwork returns the limit for the /48 network around an IPv6 address.
func (l rateLimit) scaleToWiderNetwork() rateLimit {
	l.Burst *= widerNetworkFactor
	return l
}

func perHour(burst int) ratelimit.Limit { return ratelimit.Limit{Burst: burst, Period: time.Hour} }

// isNotWrongPassword reports whether the request succeeded or failed for a reason other than wrong credentials.
func isNotWrongPassword(err error) bool { return !fault.Is(err, fault.Credentials) }

// isNotWrongCode reports whether the request succeeded or failed for a reason other than a wrong code.
func isNotWrongCode(err error) bool { return !fault.Is(err, fault.WrongCode) }

// isNotWrongCurrentPassword reports whether a change of the password succeeded or failed for a reason other than a wrong
// current password.
func isNotWrongCurrentPassword(err error) bool { return !security.IsWrongPassword(err) }

// isInvalid reports whether the form had invalid fields, so that the request had no effect.
func isInvalid(err error) bool { return fault.Is(err, fault.Invalid) }

// isKnownLink reports whether the token of a link was known. Only guesses count, so that the users of one network can open
// any number of links.
func isKnownLink(err error) bool { return !fault.Is(err, fault.NotFound) }

// errNoEmailSent is the outcome of a request that succeeded without sending an email.
var errNoEmailSent = errors.New("no email was sent")

// sentNoEmail reports whether the request sent no email, because it failed or returned errNoEmailSent.
func sentNoEmail(err error) bool { return err != nil }

// keyedLimit is a limit for one browser, network, email or organisation, which the key identifies.
type keyedLimit struct {
	rateLimit
	key string
}

// toTry returns one try for the counters. Its key contains a hash of the limit's key, so that it has no personal data and
// a bounded length.
func (l keyedLimit) toTry() ratelimit.Try {
	sum := sha256.Sum256([]byte(l.key))
	return ratelimit.Try{Key: l.name + " " + base64.RawURLEncoding.EncodeToString(sum[:16]), Limit: l.Limit}
}

// addressLimits returns the limits keyed by the client's network and, for IPv6, by the wider network around it.
func addressLimits(r *http.Request, limits ...rateLimit) []keyedLimit {
	var keyedLimits []keyedLimit
	for _, limit := range limits {
		keyedLimits = append(keyedLimits, keyedLimit{limit, clientNetwork(r)})
		if network, ok := widerClientNetwork(r); ok {
			keyedLimits = append(keyedLimits, keyedLimit{limit.scaleToWiderNetwork(), network})
		}
	}
	return keyedLimits
}

// signInLimits returns the limits of a sign-in. They do not depend on whether the address has an account. A code has limits
// of its own, which only the correct password can use up.
func (a *api) signInLimits(r *http.Request, login accounts.Login) []keyedLimit {
	browser, known := a.KnownBrowsers.Recognise(r, login.Email)
	limits, codeLimit := []keyedLimit{{guessesPerBrowser, browser}, {signInsPerBrowser, browser}}, keyedLimit{codesPerBrowser, browser}
	if !known {
		email := account.EmailKey(login.Email)
		limits = append(addressLimits(r, guessesPerAddress, signInsPerAddress), keyedLimit{guessesPerEmail, email})
		codeLimit = keyedLimit{codesPerEmail, email}
	}
	if login.Code != "" {
		limits = append(limits, codeLimit)
	}
	return limits
}

// perUser returns a function that returns the limit for the caller.
func perUser(limit rateLimit) func(*http.Request, identity.Identity) []keyedLimit {
	return func(_ *http.Request, caller identity.Identity) []keyedLimit {
		return []keyedLimit{{limit, caller.UserID}}
	}
}

// signUpLimits returns the limits of a sign-up, which sends an email. They do not depend on whether the email has an
// account.
func signUpLimits(r *http.Request, email string) []keyedLimit {
	return append(addressLimits(r, signUpsPerAddress), keyedLimit{signUpsPerEmail, account.EmailKey(email)})
}

func resendLimits(r *http.Request, email string) []keyedLimit {
	return append(addressLimits(r, resendsPerAddress), keyedLimit{resendsPerEmail, account.EmailKey(email)})
}

// confirmationLimits returns the limits of calls that send a link for confirming a billing email.
func confirmationLimits(r *http.Request, email string) []keyedLimit {
	return append(addressLimits(r, confirmationsPerAddress), keyedLimit{confirmationsPerEmail, account.EmailKey(email)})
}

// invitationLimits returns the limits of invitations, also of those that are sent again. They do not depend on whether the
// address has an account, and count over all organisations, so that several organisations can't fill a mailbox.
func invitationLimits(r *http.Request, caller identity.Identity, email string) []keyedLimit {
	return append(addressLimits(r, invitationsPerAddress),
		keyedLimit{invitationsPerOrganisation, caller.OrganisationID}, keyedLimit{invitationsPerEmail, account.EmailKey(email)})
}

func resetEmailLimits(r *http.Request, email string) []keyedLimit {
	return append(addressLimits(r, resetEmailsPerAddress), keyedLimit{resetEmailsPerEmail, account.EmailKey(email)})
}

// emailChangeLimits returns the limits of a request to change the caller's email. They do not depend on whether the new email
// has an account. A request that is refused before it sends emails does not count.
func emailChangeLimits(caller identity.Identity, email string) []keyedLimit {
	return []keyedLimit{{emailChangesPerUser, caller.UserID}, {emailChangesPerEmail, account.EmailKey(email)}}
}

// paymentLimits returns the limits of calls that can charge a card.
func paymentLimits(r *http.Request, caller identity.Identity) []keyedLimit {
	return append(addressLimits(r, paymentsPerAddress), keyedLimit{paymentsPerOrganisation, caller.OrganisationID})
}

// quoteLimits returns the limits of quotes. They are separate from those of payments, so that a customer who compares
// many prices can still pay.
func quoteLimits(r *http.Request, caller identity.Identity) []keyedLimit {
	return append(addressLimits(r, quotesPerAddress), keyedLimit{quotesPerOrganisation, caller.OrganisationID})
}

// detailsLimits returns the limits of calls that send billing details to the payment provider.
func detailsLimits(r *http.Request, caller identity.Identity) []keyedLimit {
	return append(addressLimits(r, detailsPerAddress), keyedLimit{detailsPerOrganisation, caller.OrganisationID})
}

// perOrganisation returns a function that returns the limit for the caller's organisation.
func perOrganisation(limit rateLimit) func(*http.Request, identity.Identity) []keyedLimit {
	return func(_ *http.Request, caller identity.Identity) []keyedLimit {
		return []keyedLimit{{limit, caller.OrganisationID}}
	}
}

// cardLimits returns the limits of calls that validate a new card and charge an overdue invoice to it.
func cardLimits(r *http.Request, caller identity.Identity) []keyedLimit {
	limits := append(addressLimits(r, cardsPerAddress), keyedLimit{cardsPerOrganisation, caller.OrganisationID})
	return append(limits, paymentLimits(r, caller)...)
}

// callWithinLimits calls fn unless one of the limits is exhausted. If the counters can't be reached, it refuses the
// request. The request would fail in any case, because it needs the same database.
func (a *api) callWithinLimits(r *http.Request, limits []keyedLimit, fn func() error) error {
	if a.Limits == nil {
		return fn()
	}
	ctx, cancel := context.WithTimeout(r.Context(), rateLimitTimeout)
	defer cancel()
	wait, err := a.Limits.Take(ctx, a.Clock.Now(), mapEach(limits, keyedLimit.toTry)...)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "Please try again later!")
	}
	if wait > 0 {
		a.Log.WarnContext(r.Context(), "limit reached", "route", routePattern(r), "address", clientNetwork(r))
		return rateLimitError(wait)
	}
	err = fn()
	a.giveBackExemptTries(r, limits, err)
	return err
}

// withRateLimits returns a handler that calls next unless one of the limits is exhausted.
func (a *api) withRateLimits(
	limits func(*http.Request, identity.Identity) []keyedLimit, next userHandler,
) userHandler {
	return func(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
		return a.callWithinLimits(r, limits(r, caller), func() error { return next(w, r, caller) })
	}
}

// giveBackExemptTries gives back the tries that are exempt because of their outcome, even if the client has
// disconnected. If that fails, the tries count until they expire.
func (a *api) giveBackExemptTries(r *http.Request, limits []keyedLimit, outcome error) {
	var exemptTries []ratelimit.Try
	for _, l := range limits {
		if l.isExempt != nil && l.isExempt(outcome) {
			exemptTries = append(exemptTries, l.toTry())
		}
	}
	if len(exemptTries) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), rateLimitTimeout)
	defer cancel()
	if err := a.Limits.GiveBack(ctx, a.Clock.Now(), exemptTries...); err != nil {
		a.Log.WarnContext(ctx, "restoring a rate limit failed", "error", err)
	}
}
