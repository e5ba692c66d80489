// Package passkeys implements identity.Passkeys with WebAuthn.
package passkeys

import (
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// Passkeys implements identity.Passkeys for the website at one URL.
type Passkeys struct{ relyingParty *webauthn.WebAuthn }

// IsSupported reports whether the host of the URL can be a relying party id, which must be a name. Browsers also require
// https, except on localhost.
func IsSupported(publicURL string) bool {
	_, err := parseOrigin(publicURL)
	return err == nil
}

// parseOrigin returns the parsed URL, or an Invalid fault unless its host is a name.
func parseOrigin(publicURL string) (*url.URL, error) {
	u, err := url.Parse(publicURL)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "passkeys: the public URL can't be read")
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil || u.Hostname() == "" {
		return nil, fault.New(fault.Invalid, "passkeys: the host of the public URL must be a name")
	}
	return u, nil
}

// New returns the passkeys of the website at the URL, whose host is their relying party id. Browsers may show the name.
func New(publicURL, name string) (*Passkeys, error) {
	u, err := parseOrigin(publicURL)
	if err != nil {
		return nil, err
	}
	relyingParty, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: name, RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "passkeys: the public URL can't have passkeys")
	}
	return &Passkeys{relyingParty}, nil
}

// user implements webauthn.User.
type user struct {
	account.User
	credentials []webauthn.Credential
}

// WebAuthnID returns the id, which is random and so reveals nothing about the user.
func (u user) WebAuthnID() []byte { return []byte(u.ID) }

// WebAuthnName returns the address with which the user signs in.
func (u user) WebAuthnName() string { return u.Email }

// WebAuthnDisplayName returns the user's name.
func (u user) WebAuthnDisplayName() string { return u.FirstName + " " + u.LastName }

// WebAuthnCredentials returns the passkeys.
func (u user) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

// NewRegistration implements identity.Passkeys.
func (p *Passkeys) NewRegistration(owner account.User, existing []account.Passkey) ([]byte, string, error) {
	var exclusions []protocol.CredentialDescriptor
	for _, passkey := range existing {
		credential, err := toCredential(passkey)
		if err != nil {
			return nil, "", err
		}
		exclusions = append(exclusions, credential.Descriptor())
	}
	creation, session, err := p.relyingParty.BeginRegistration(user{User: owner}, webauthn.WithExclusions(exclusions))
	if err != nil {
		return nil, "", internalError(err)
	}
	options, err := json.Marshal(creation.Response)
	return options, session.Challenge, err
}

// Register implements identity.Passkeys.
func (p *Passkeys) Register(userID, challenge string, response []byte) (account.Passkey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(response)
	if err != nil {
		return account.Passkey{}, invalidResponse(err)
	}
	session := p.newSession(challenge)
	session.UserID = []byte(userID)
	session.CredParams = webauthn.CredentialParametersDefault()
	credential, err := p.relyingParty.CreateCredential(user{User: account.User{ID: userID}}, session, parsed)
	if err != nil {
		return account.Passkey{}, invalidResponse(err)
	}
	return toPasskey(*credential), nil
}

func (p *Passkeys) newSession(challenge string) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge: challenge, RelyingPartyID: p.relyingParty.Config.RPID, UserVerification: protocol.VerificationRequired,
	}
}

// NewSignIn implements identity.Passkeys.
func (p *Passkeys) NewSignIn() ([]byte, string, error) {
	assertion, session, err := p.relyingParty.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, "", internalError(err)
	}
	options, err := json.Marshal(assertion.Response)
	return options, session.Challenge, err
}

// Owner implements identity.Passkeys.
func (p *Passkeys) Owner(response []byte) (userID, credentialID string, err error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return "", "", refusedResponse(err)
	}
	return string(parsed.Response.UserHandle), encodeID(parsed.RawID), nil
}

// SignIn implements identity.Passkeys.
func (p *Passkeys) SignIn(userID string, passkey account.Passkey, challenge string, response []byte) (account.Passkey, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(response)
	if err != nil {
		return account.Passkey{}, refusedResponse(err)
	}
	credential, err := toCredential(passkey)
	if err != nil {
		return account.Passkey{}, err
	}
	findUser := func([]byte, []byte) (webauthn.User, error) {
		return user{User: account.User{ID: userID}, credentials: []webauthn.Credential{credential}}, nil
	}
	verified, err := p.relyingParty.ValidateDiscoverableLogin(findUser, p.newSession(challenge), parsed)
	if err != nil {
		return account.Passkey{}, refusedResponse(err)
	}
	if verified.Authenticator.CloneWarning {
		return account.Passkey{}, refusedResponse(nil)
	}
	passkey.SignCount = verified.Authenticator.SignCount
	return passkey, nil
}

func encodeID(id []byte) string { return base64.RawURLEncoding.EncodeToString(id) }

func toPasskey(c webauthn.Credential) account.Passkey {
	passkey := account.Passkey{
		CredentialID: encodeID(c.ID), PublicKey: c.PublicKey, SignCount: c.Authenticator.SignCount,
		BackupEligible: c.Flags.BackupEligible,
	}
	for _, transport := range c.Transport {
		passkey.Transports = append(passkey.Transports, string(transport))
	}
	return passkey
}

func toCredential(p account.Passkey) (webauthn.Credential, error) {
	id, err := base64.RawURLEncoding.DecodeString(p.CredentialID)
	if err != nil {
		return webauthn.Credential{}, internalError(err)
	}
	credential := webauthn.Credential{
		ID: id, PublicKey: p.PublicKey, Authenticator: webauthn.Authenticator{SignCount: p.SignCount},
		Flags: webauthn.CredentialFlags{BackupEligible: p.BackupEligible},
	}
	for _, transport := range p.Transports {
		credential.Transport = append(credential.Transport, protocol.AuthenticatorTransport(transport))
	}
	return credential, nil
}

func internalError(err error) error {
	return fault.Wrap(err, fault.Internal, "a request for a passkey can't be created")
}

func invalidResponse(err error) error {
	return fault.Wrap(err, fault.Invalid, "The passkey could not be added. Please try again.")
}

func refusedResponse(err error) error {
	return fault.Wrap(err, fault.Credentials, "This passkey can't be used to sign in.")
}
