package httpapi

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// rule is one limit on how often something may be tried.
type rule struct {
	name string // with the one it counts for, the key of a counter
	ratelimit.Limit
	// spares tells of an outcome that doesn't count after all. nil: every try counts.
	spares func(error) bool
}

// These are all limits there are; docs/security.md says why they are what they are. An address is an IPv4
// address or the /64 network of an IPv6 one; ofSite limits the /48 around that. Whoever has signed in with an e-mail before in the
// same browser is limited by that browser alone, so that nobody's guesses keep them out.
var (
	guessesOfEmail   = rule{"guesses of an e-mail", hourly(10), unlessGuess}
	guessesOfAddress = rule{"guesses of an address", hourly(30), unlessGuess}
	guessesOfBrowser = rule{"guesses of a known browser", hourly(10), unlessGuess}
	signInsOfAddress = rule{"sign-ins of an address", hourly(600), nil}
	signInsOfBrowser = rule{"sign-ins of a known browser", hourly(60), nil}

	signUpsOfAddress = rule{"sign-ups of an address", hourly(20), formErrors}

	resendsOfEmail   = rule{"resends to an e-mail", hourly(3), nil}
	resendsOfAddress = rule{"resends of an address", hourly(20), nil}

	forgotsOfEmail   = rule{"password reset emails to an e-mail", hourly(3), nil}
	forgotsOfAddress = rule{"password reset emails of an address", hourly(20), nil}
	resetsOfAddress  = rule{"password resets of an address", hourly(20), formErrors}

	cardsOfOrganisation    = rule{"cards of an organisation", hourly(20), nil}
	cardsOfAddress         = rule{"cards of an address", hourly(100), nil}
	paymentsOfOrganisation = rule{"payments of an organisation", hourly(30), nil}
	paymentsOfAddress      = rule{"payments of an address", hourly(150), nil}
)

// siteFactor is how many times as much the /48 network of an IPv6 client may do as a /64: a site has
// many users, and a mobile provider gives each phone a /64 of its own.
const siteFactor = 10

// ofSite returns the rule for the /48 network around an address.
func (r rule) ofSite() rule {
	r.Most *= siteFactor
	return r
}

func hourly(most int) ratelimit.Limit { return ratelimit.Limit{Most: most, Per: time.Hour} }

// unlessGuess spares whatever was no wrong password.
func unlessGuess(err error) bool { return !fault.Is(err, fault.Credentials) }

// formErrors spares a form that was refused for what is in it, before anything was done.
func formErrors(err error) bool { return fault.Is(err, fault.Invalid) }
