package fakeapi

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Numbers of test cards that only this provider has.
const (
	RedirectsOnce = "4000000000003220" // has to be authenticated once, on a page of the bank
	Redirects     = "4000008400001629" // has to be authenticated for each payment, on a page of the bank
	Revoked       = "4000000000000101" // can be saved; the bank does not know the card any more when it is charged
	FailsRefunds  = "4000000000005126" // pays, and each refund fails
)

// Numbers of test cards that the fake gateway has too, see CONTRIBUTING.md.
const (
	Authenticates       = "4000002760003184" // has to be authenticated for each payment
	Pays                = "4242424242424242"
	NeedsAuthentication = "4000002500003155" // has to be authenticated once
	DeclinesSaving      = "4000000000000002"
	DeclinesCharges     = "4000000000000341"
	LacksFunds          = "4000000000009995"
	Lost                = "4000000000009987"
	Expired             = "4000000000000069"
)

// The codes of refusals, with their reasons.
const (
	refused          = "2"
	blockedCard      = "5"
	expiredCard      = "6"
	notAuthenticated = "11"
	notEnoughBalance = "12"
	revocationOfAuth = "26"
	needsAuth        = "38"
)

var refusalReasons = map[string]string{
	refused: "Refused", blockedCard: "Blocked Card", expiredCard: "Expired Card", notAuthenticated: "3D Not Authenticated",
	notEnoughBalance: "Not enough balance", revocationOfAuth: "Revocation Of Auth", needsAuth: "Authentication required",
}

// behaviour decides the outcome of payments with a card. The zero behaviour pays.
type behaviour struct {
	refusal         string // of each payment; "" for none
	refusesSaving   bool   // also refuses orders of 0
	paysOnce        bool   // refuses only after the first payment
	authenticates   string // "once" or "always"; "" for never
	redirects       bool   // authenticates on a page of the bank
	refusesToRefund bool
}

var testCards = map[string]behaviour{
	Pays: {}, "5555555555554444": {}, "378282246310005": {},
	NeedsAuthentication: {authenticates: "once"}, RedirectsOnce: {authenticates: "once", redirects: true},
	Authenticates: {authenticates: "always"}, Redirects: {authenticates: "always", redirects: true},
	DeclinesSaving: {refusal: refused, refusesSaving: true}, Expired: {refusal: expiredCard, refusesSaving: true},
	DeclinesCharges: {refusal: refused}, "4000000000001000": {refusal: notEnoughBalance, paysOnce: true},
	LacksFunds: {refusal: notEnoughBalance}, Lost: {refusal: blockedCard}, "4000000000009979": {refusal: blockedCard},
	Revoked: {refusal: revocationOfAuth}, FailsRefunds: {refusesToRefund: true},
}

// card is a card that a customer has entered. Its id is "" until it is stored.
type card struct {
	CardData

	id              string
	behaviour       behaviour
	hasPaid         bool
	isAuthenticated bool
	isDeleted       bool
}

// CardData is what the browser encrypts.
type CardData struct {
	Number      string `json:"number"`
	ExpiryMonth string `json:"expiryMonth"`
	ExpiryYear  string `json:"expiryYear"`
	CVC         string `json:"cvc"`
}

// Encrypt encrypts a card as the provider's script does in the browser.
func (s *Server) Encrypt(d CardData) (string, error) {
	plaintext, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &s.key.PublicKey, plaintext, nil)
	return base64.StdEncoding.EncodeToString(ciphertext), err
}

// decrypt returns the encrypted card, or nil if it can't be decrypted or was used before. An unknown number is refused.
func (s *Server) decrypt(encrypted string) *card {
	ciphertext, err := base64.StdEncoding.DecodeString(encrypted)
	if err != nil || s.usedCards[encrypted] {
		return nil
	}
	plaintext, err := rsa.DecryptOAEP(sha256.New(), nil, s.key, ciphertext, nil)
	if err != nil {
		return nil
	}
	c := &card{}
	if err := json.Unmarshal(plaintext, &c.CardData); err != nil {
		return nil
	}
	s.usedCards[encrypted] = true
	known := false
	if c.behaviour, known = testCards[c.Number]; !known {
		c.behaviour = behaviour{refusal: refused, refusesSaving: true}
	}
	return c
}

// refusal returns the code with which the bank refuses a payment, or "".
func (c *card) refusal(isCharge bool) string {
	b := c.behaviour
	if !isCharge && !b.refusesSaving || b.paysOnce && !c.hasPaid {
		return ""
	}
	return b.refusal
}

// needsAuthentication reports whether the customer has to authenticate a payment, or that the card is stored. A card that has
// to be authenticated once can be stored before.
func (c *card) needsAuthentication(isCharge, isAvoided bool) bool {
	switch c.behaviour.authenticates {
	case "always":
		return true
	case "once":
		return !c.isAuthenticated && (isCharge || !isAvoided)
	}
	return false
}

// additionalData describes the stored card in a payment.
func (c *card) additionalData() map[string]string {
	if c.id == "" {
		return nil
	}
	digest := sha256.Sum256([]byte(c.Number))
	return map[string]string{
		"recurring.recurringDetailReference": c.id, "paymentMethod": brand(c.Number), "cardSummary": last4(c.Number),
		"expiryDate": fmt.Sprintf("%s/%s", c.ExpiryMonth, c.ExpiryYear), "alias": hex.EncodeToString(digest[:8]),
	}
}
