package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/ratelimit"
)

// use is one use of a rule by somebody.
type use struct {
	rule
	by string
}

// try is the use as counters know it. The key names nobody and is never long.
func (u use) try() ratelimit.Try {
	sum := sha256.Sum256([]byte(u.by))
	return ratelimit.Try{Key: u.name + " " + base64.RawURLEncoding.EncodeToString(sum[:16]), Limit: u.Limit}
}

// signInUses counts known and unknown e-mails alike.
func (a *api) signInUses(r *http.Request, email string) []use {
	if browser, known := a.Browsers.Known(r, email); known {
		return []use{{guessesOfBrowser, browser}, {signInsOfBrowser, browser}}
	}
	return append(addressUses(r, guessesOfAddress, signInsOfAddress), use{guessesOfEmail, account.EmailKey(email)})
}

// addressUses counts a use of every rule by the client's network, and for an IPv6 client by the /48
// around it as well, which may hold thousands of networks.
func addressUses(r *http.Request, rules ...rule) []use {
	var uses []use
	for _, limit := range rules {
		uses = append(uses, use{limit, networkOf(r)})
		if site, ok := siteOf(r); ok {
			uses = append(uses, use{limit.ofSite(), site})
		}
	}
	return uses
}

func resendUses(r *http.Request, email string) []use {
	return append(addressUses(r, resendsOfAddress), use{resendsOfEmail, account.EmailKey(email)})
}

func forgotUses(r *http.Request, email string) []use {
	return append(addressUses(r, forgotsOfAddress), use{forgotsOfEmail, account.EmailKey(email)})
}

// paymentUses counts a call that can charge a card.
func paymentUses(r *http.Request, who identity.Identity) []use {
	return append(addressUses(r, paymentsOfAddress), use{paymentsOfOrganisation, who.OrganisationID})
}

// cardUses counts a call that validates a new card, and charges an overdue bill with it.
func cardUses(r *http.Request, who identity.Identity) []use {
	return append(append(addressUses(r, cardsOfAddress), use{cardsOfOrganisation, who.OrganisationID}), paymentUses(r, who)...)
}
