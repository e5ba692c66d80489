// Package fakeapi imitates a card gateway such as Adyen in memory. Its API has payments, refunds and stored cards, but no
// customers. Browsers encrypt cards with its public key and authenticate them in the page or on a page of the bank. Changes
// are sent in notifications, of which each is signed.
package fakeapi

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
)

// RefundAge is the age at which refunds arrive or fail.
const RefundAge = 48 * time.Hour

// Config configures a Server.
type Config struct {
	Clock           clock.Clock
	URL             string // of the Handler
	MerchantAccount string
	APIKey          string
	ClientKey       string // of the browser
	HMACKey         []byte // of the notifications
}

// Server is the provider with its records. It is safe for concurrent use.
type Server struct {
	config Config
	key    *rsa.PrivateKey

	mu             sync.Mutex
	lastReference  int
	responses      map[string]storedResponse // by Idempotency-Key
	usedCards      map[string]bool           // encrypted cards that were used
	payments       []*payment
	notifications  []notification
	deliveredCount int // of notifications that the webhook has accepted
}

// encryptionKey returns the key for which browsers encrypt cards. All servers share it, because its creation takes long.
var encryptionKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// New returns a server without payments.
func New(c Config) (*Server, error) {
	key, err := encryptionKey()
	return &Server{config: c, key: key, responses: map[string]storedResponse{}, usedCards: map[string]bool{}}, err
}

// ChargedAmounts returns the amounts of the customer's authorised payments.
func (s *Server) ChargedAmounts(shopperReference string) (amounts []money.Amount) {
	s.lockAndAdvance()
	defer s.mu.Unlock()
	for _, p := range s.payments {
		if p.ShopperReference != shopperReference || p.ResultCode != resultAuthorised || p.Amount.Value == 0 {
			continue
		}
		if a, err := money.New(p.Amount.Value, p.Amount.Currency); err == nil {
			amounts = append(amounts, a)
		}
	}
	return amounts
}

// lockAndAdvance locks mu and makes all changes that are due.
func (s *Server) lockAndAdvance() {
	s.mu.Lock()
	now := s.config.Clock.Now()
	for _, p := range s.payments {
		for _, r := range p.Refunds {
			if r.Status == statusReceived && !now.Before(r.createdAt.Add(RefundAge)) {
				s.settleRefund(p, r)
			}
		}
	}
}

// newReference returns a reference of 16 characters.
func (s *Server) newReference() string {
	s.lastReference++
	return fmt.Sprintf("8835%012d", s.lastReference)
}

// find returns the payment with the reference, or nil.
func (s *Server) find(pspReference string) *payment {
	return first(s.payments, func(p *payment) bool { return p.PSPReference == pspReference })
}

// storedCard returns a card that a payment of the customer has stored, or nil.
func (s *Server) storedCard(id, shopperReference string) *card {
	p := first(s.payments, func(p *payment) bool {
		return id != "" && p.card.id == id && p.ShopperReference == shopperReference && !p.card.isDeleted
	})
	if p == nil {
		return nil
	}
	return p.card
}

// first returns the first element for which match is true, or nil.
func first[T any](list []*T, match func(*T) bool) *T {
	if i := slices.IndexFunc(list, match); i >= 0 {
		return list[i]
	}
	return nil
}

// last4 returns the last four digits of a card number.
func last4(number string) string { return number[max(len(number)-4, 0):] }

// brand returns the brand of a card number.
func brand(number string) string {
	switch {
	case strings.HasPrefix(number, "5"):
		return "mc"
	case strings.HasPrefix(number, "3"):
		return "amex"
	}
	return "visa"
}
