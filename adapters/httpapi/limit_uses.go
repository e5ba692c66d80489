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
	address := networkOf(r)
	return []use{
		{guessesOfEmail, account.EmailKey(email)}, {guessesOfAddress, address}, {signInsOfAddress, address},
	}
}

func resendUses(r *http.Request, email string) []use {
	return []use{{resendsOfEmail, account.EmailKey(email)}, {resendsOfAddress, networkOf(r)}}
}

func cardUses(r *http.Request, who identity.Identity) []use {
	return []use{{cardsOfOrganisation, who.OrganisationID}, {cardsOfAddress, networkOf(r)}}
}

func purchaseUses(r *http.Request, who identity.Identity) []use {
	return []use{{purchasesOfOrganisation, who.OrganisationID}, {purchasesOfAddress, networkOf(r)}}
}
