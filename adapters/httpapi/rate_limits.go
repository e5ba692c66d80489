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
// which a user has signed in before has separate limits, so that others can't lock the user out.
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
// users, and a mobile provider gives each phone its own /64.
const widerFactor = 10

// forWiderNetwork returns the limit for the /48 network around an IPv6 address.
func (l rateLimit) forWiderNetwork() rateLimit {
	l.Most *= widerFactor
	return l
}

func hourly(most int) ratelimit.Limit { return ratelimit.Limit{Most: most, Per: time.Hour} }

// isNotCredentials reports whether the request succeeded, or failed for another reason than a wrong password.
func isNotCredentials(err error) bool { return !fault.Is(err, fault.Credentials) }

// isInvalid reports whether the form had invalid fields, so that the request had no effect.
func isInvalid(err error) bool { return fault.Is(err, fault.Invalid) }

// errNothingSent is the outcome of a request that succeeded without sending an email.
var errNothingSent = errors.New("no email was sent")

// isNothingSent reports whether the request sent no email: it returned errNothingSent or failed.
func isNothingSent(err error) bool { return err != nil }

// limitUse is a use of a limit. It is counted under the name of the limit and the key.
type limitUse struct {
	rateLimit
	key string // a browser, network, email or organisation
}

// try returns the use for the counters. The key contains a hash, so it has no personal data and a
// bounded length.
func (u limitUse) try() ratelimit.Try {
	sum := sha256.Sum256([]byte(u.key))
	return ratelimit.Try{Key: u.name + " " + base64.RawURLEncoding.EncodeToString(sum[:16]), Limit: u.Limit}
}

// addressUses returns the uses of limits per address.
func addressUses(r *http.Request, limits ...rateLimit) []limitUse {
	var uses []limitUse
	for _, limit := range limits {
		uses = append(uses, limitUse{limit, clientNetwork(r)})
		if network, ok := widerClientNetwork(r); ok {
			uses = append(uses, limitUse{limit.forWiderNetwork(), network})
		}
	}
	return uses
}

// signInUses returns the limits of a sign-in. They do not depend on whether the email has an account.
func (a *api) signInUses(r *http.Request, email string) []limitUse {
	if browser, known := a.Browsers.Known(r, email); known {
		return []limitUse{{guessesPerBrowser, browser}, {signInsPerBrowser, browser}}
	}
	return append(addressUses(r, guessesPerAddress, signInsPerAddress), limitUse{guessesPerEmail, account.EmailKey(email)})
}

func resendUses(r *http.Request, email string) []limitUse {
	return append(addressUses(r, resendsPerAddress), limitUse{resendsPerEmail, account.EmailKey(email)})
}

// confirmationUses returns the limits of calls that send a link that confirms a billing email.
func confirmationUses(r *http.Request, email string) []limitUse {
	return append(addressUses(r, confirmationsPerAddress), limitUse{confirmationsPerEmail, account.EmailKey(email)})
}

func resetEmailUses(r *http.Request, email string) []limitUse {
	return append(addressUses(r, resetEmailsPerAddress), limitUse{resetEmailsPerEmail, account.EmailKey(email)})
}

// paymentUses returns the limits of calls that can charge a card.
func paymentUses(r *http.Request, caller identity.Identity) []limitUse {
	return append(addressUses(r, paymentsPerAddress), limitUse{paymentsPerOrganisation, caller.OrganisationID})
}

// quoteUses returns the limits of quotes. They are separate from those of payments, so that a customer who compares
// many prices can still pay.
func quoteUses(r *http.Request, caller identity.Identity) []limitUse {
	return append(addressUses(r, quotesPerAddress), limitUse{quotesPerOrganisation, caller.OrganisationID})
}

// detailsUses returns the limits of calls that send billing details to the payment provider.
func detailsUses(r *http.Request, caller identity.Identity) []limitUse {
	return append(addressUses(r, detailsPerAddress), limitUse{detailsPerOrganisation, caller.OrganisationID})
}

// cardUses returns the limits of calls that validate a new card and charge an overdue invoice to it.
func cardUses(r *http.Request, caller identity.Identity) []limitUse {
	return append(append(addressUses(r, cardsPerAddress), limitUse{cardsPerOrganisation, caller.OrganisationID}), paymentUses(r, caller)...)
}

// withRateLimits calls do unless one of the limits is exhausted. It fails closed when the counters can't be
// reached: everything that is limited needs the same database.
func (a *api) withRateLimits(r *http.Request, uses []limitUse, do func() error) error {
	if a.Limits == nil {
		return do()
	}
	ctx, cancel := context.WithTimeout(r.Context(), rateLimitTimeout)
	defer cancel()
	wait, err := a.Limits.Take(ctx, a.Clock.Now(), mapEach(uses, limitUse.try)...)
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
func (a *api) rateLimited(uses func(*http.Request, identity.Identity) []limitUse, do identityHandler) identityHandler {
	return func(w http.ResponseWriter, r *http.Request, caller identity.Identity) error {
		return a.withRateLimits(r, uses(r, caller), func() error { return do(w, r, caller) })
	}
}

// giveBackExempt gives back the uses that don't count with this outcome, also after the client has
// disconnected. If that fails, they count until they expire.
func (a *api) giveBackExempt(r *http.Request, uses []limitUse, outcome error) {
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
