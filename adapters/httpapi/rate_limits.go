package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// rateLimitTimeout limits one access to the counters.
const rateLimitTimeout = 5 * time.Second

// rateLimit limits how often something may be tried.
type rateLimit struct {
	name string // part of the counter's key
	ratelimit.Limit
	exempt func(error) bool // reports an outcome that doesn't count; nil: every attempt counts
}

// All rate limits; docs/security.md explains the numbers. PerAddress counts by IPv4 address or by the
// /64 network of an IPv6 address; see forWiderNetwork for the /48 network around it. A browser in
// which a user has signed in before has limits of its own, so that others can't lock the user out.
var (
	guessesPerEmail   = rateLimit{"guesses of an email", hourly(10), isNotCredentials}
	guessesPerAddress = rateLimit{"guesses of an address", hourly(30), isNotCredentials}
	guessesPerBrowser = rateLimit{"guesses of a known browser", hourly(10), isNotCredentials}
	signInsPerAddress = rateLimit{"sign-ins of an address", hourly(600), nil}
	signInsPerBrowser = rateLimit{"sign-ins of a known browser", hourly(60), nil}

	signUpsPerAddress = rateLimit{"sign-ups of an address", hourly(20), isInvalid}

	resendsPerEmail   = rateLimit{"resends to an email", hourly(3), nil}
	resendsPerAddress = rateLimit{"resends of an address", hourly(20), nil}

	confirmationsPerEmail   = rateLimit{"billing email confirmations to an email", hourly(3), isNothingSent}
	confirmationsPerAddress = rateLimit{"billing email confirmations of an address", hourly(20), isNothingSent}

	resetEmailsPerEmail   = rateLimit{"password reset emails to an email", hourly(3), nil}
	resetEmailsPerAddress = rateLimit{"password reset emails of an address", hourly(20), nil}
	resetsPerAddress      = rateLimit{"password resets of an address", hourly(20), isInvalid}

	cardsPerOrganisation    = rateLimit{"cards of an organisation", hourly(20), nil}
	cardsPerAddress         = rateLimit{"cards of an address", hourly(100), nil}
	paymentsPerOrganisation = rateLimit{"payments of an organisation", hourly(30), nil}
	paymentsPerAddress      = rateLimit{"payments of an address", hourly(150), nil}
	quotesPerOrganisation   = rateLimit{"quotes of an organisation", hourly(60), nil}
	quotesPerAddress        = rateLimit{"quotes of an address", hourly(300), nil}
	detailsPerOrganisation  = rateLimit{"billing details of an organisation", hourly(30), nil}
	detailsPerAddress       = rateLimit{"billing details of an address", hourly(150), nil}
)

// widerFactor multiplies the limits of a /64 network for the /48 network around it: a site has many
// users, and a mobile provider gives each phone a /64 of its own.
const widerFactor = 10

// forWiderNetwork returns the limit for the /48 network around an IPv6 address.
func (l rateLimit) forWiderNetwork() rateLimit {
	l.Most *= widerFactor
	return l
}

func hourly(most int) ratelimit.Limit { return ratelimit.Limit{Most: most, Per: time.Hour} }

// isNotCredentials reports whether the request failed for another reason than a wrong password, or succeeded.
func isNotCredentials(err error) bool { return !fault.Is(err, fault.Credentials) }

// isInvalid reports whether the form had invalid fields, so that the request had no effect.
func isInvalid(err error) bool { return fault.Is(err, fault.Invalid) }

// errNothingSent is the outcome of a request that could have sent an email and has succeeded without.
var errNothingSent = errors.New("no email was sent")

// isNothingSent reports whether the request sent no email: it returned errNothingSent or failed.
func isNothingSent(err error) bool { return err != nil }

// use is one use of a limit by a client, user or organisation.
type use struct {
	rateLimit
	by string
}

// try returns the use for the counters. The key contains a hash, so it has no personal data and a
// bounded length.
func (u use) try() ratelimit.Try {
	sum := sha256.Sum256([]byte(u.by))
	return ratelimit.Try{Key: u.name + " " + base64.RawURLEncoding.EncodeToString(sum[:16]), Limit: u.Limit}
}

// addressUses returns the uses of limits per address.
func addressUses(r *http.Request, limits ...rateLimit) []use {
	var uses []use
	for _, limit := range limits {
		uses = append(uses, use{limit, clientNetwork(r)})
		if network, ok := widerClientNetwork(r); ok {
			uses = append(uses, use{limit.forWiderNetwork(), network})
		}
	}
	return uses
}

// signInUses does not depend on whether the email has an account.
func (a *api) signInUses(r *http.Request, email string) []use {
	if browser, known := a.Browsers.Known(r, email); known {
		return []use{{guessesPerBrowser, browser}, {signInsPerBrowser, browser}}
	}
	return append(addressUses(r, guessesPerAddress, signInsPerAddress), use{guessesPerEmail, account.EmailKey(email)})
}

func resendUses(r *http.Request, email string) []use {
	return append(addressUses(r, resendsPerAddress), use{resendsPerEmail, account.EmailKey(email)})
}

// confirmationUses returns the limits of calls that send a link that confirms a billing email.
func confirmationUses(r *http.Request, email string) []use {
	return append(addressUses(r, confirmationsPerAddress), use{confirmationsPerEmail, account.EmailKey(email)})
}

func resetEmailUses(r *http.Request, email string) []use {
	return append(addressUses(r, resetEmailsPerAddress), use{resetEmailsPerEmail, account.EmailKey(email)})
}

// paymentUses returns the limits of calls that can charge a card.
func paymentUses(r *http.Request, who identity.Identity) []use {
	return append(addressUses(r, paymentsPerAddress), use{paymentsPerOrganisation, who.OrganisationID})
}

// quoteUses returns the limits of quotes. They are separate, so that looking at prices does not use up the
// payments.
func quoteUses(r *http.Request, who identity.Identity) []use {
	return append(addressUses(r, quotesPerAddress), use{quotesPerOrganisation, who.OrganisationID})
}

// detailsUses returns the limits of calls that send billing details to the payment provider.
func detailsUses(r *http.Request, who identity.Identity) []use {
	return append(addressUses(r, detailsPerAddress), use{detailsPerOrganisation, who.OrganisationID})
}

// cardUses returns the limits of calls that validate a new card and charge an overdue invoice to it.
func cardUses(r *http.Request, who identity.Identity) []use {
	return append(append(addressUses(r, cardsPerAddress), use{cardsPerOrganisation, who.OrganisationID}), paymentUses(r, who)...)
}

// withRateLimits calls do unless one of the limits is exhausted. It fails closed when the counters can't be
// reached: everything that is limited needs the same database.
func (a *api) withRateLimits(r *http.Request, uses []use, do func() error) error {
	if a.Limits == nil {
		return do()
	}
	ctx, cancel := context.WithTimeout(r.Context(), rateLimitTimeout)
	defer cancel()
	wait, err := a.Limits.Take(ctx, a.Clock.Now(), mapEach(uses, use.try)...)
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, "Please try again later!")
	}
	if wait > 0 {
		a.Log.WarnContext(r.Context(), "limit reached", "route", routeOf(r), "address", clientNetwork(r))
		return rateError(wait)
	}
	err = do()
	a.giveBackExempt(r, uses, err)
	return err
}

// rateLimited wraps a handler with withRateLimits.
func (a *api) rateLimited(uses func(*http.Request, identity.Identity) []use, do identityHandler) identityHandler {
	return func(w http.ResponseWriter, r *http.Request, who identity.Identity) error {
		return a.withRateLimits(r, uses(r, who), func() error { return do(w, r, who) })
	}
}

// giveBackExempt gives back the uses that don't count with this outcome, also after the client has
// disconnected. If that fails, they count until they expire.
func (a *api) giveBackExempt(r *http.Request, uses []use, outcome error) {
	var exempt []ratelimit.Try
	for _, u := range uses {
		if u.exempt != nil && u.exempt(outcome) {
			exempt = append(exempt, u.try())
		}
	}
	if len(exempt) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), rateLimitTimeout)
	defer cancel()
	if err := a.Limits.GiveBack(ctx, a.Clock.Now(), exempt...); err != nil {
		a.Log.WarnContext(ctx, "restoring a rate limit failed", "error", err)
	}
}
