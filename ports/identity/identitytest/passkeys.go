package identitytest

import (
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/json"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// PasskeyOrigin is the origin of the website for which RunPasskeys expects passkeys.
const PasskeyOrigin = "https://diy.example"

// Authenticator creates the responses of a browser whose authenticator has one passkey.
type Authenticator struct {
	Website       virtualwebauthn.RelyingParty
	Authenticator virtualwebauthn.Authenticator
	Credential    virtualwebauthn.Credential
}

// NewAuthenticator returns an authenticator without a passkey, for a website at the origin whose host is the given one.
func NewAuthenticator(origin, host string) *Authenticator {
	return &Authenticator{
		Website:       virtualwebauthn.RelyingParty{Name: "Vision", ID: host, Origin: origin},
		Authenticator: virtualwebauthn.NewAuthenticator(),
		Credential:    newCredential(),
	}
}

// newCredential returns a credential whose coordinates have all 32 bytes. The authenticator omits leading zeros, which is
// not valid COSE.
func newCredential() virtualwebauthn.Credential {
	for {
		credential := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
		key, err := x509.ParsePKCS8PrivateKey(credential.Key.Data)
		if private, ok := key.(*ecdsa.PrivateKey); err == nil && ok {
			point, err := private.PublicKey.Bytes()
			if err == nil && point[1] != 0 && point[33] != 0 {
				return credential
			}
		}
	}
}

// Register returns the response to the options of a registration.
func (a *Authenticator) Register(t testing.TB, options []byte) []byte {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAttestationOptions(string(options))
	require.NoError(t, err)
	a.Authenticator.Options.UserHandle = []byte(parsed.UserID)
	return []byte(virtualwebauthn.CreateAttestationResponse(a.Website, a.Authenticator, a.Credential, *parsed))
}

// SignIn returns the response to the options of a sign-in.
func (a *Authenticator) SignIn(t testing.TB, options []byte) []byte {
	t.Helper()
	parsed, err := virtualwebauthn.ParseAssertionOptions(string(options))
	require.NoError(t, err)
	return []byte(virtualwebauthn.CreateAssertionResponse(a.Website, a.Authenticator, a.Credential, *parsed))
}

var passkeyOwner = account.User{ID: "user_abc", FirstName: "Ann", LastName: "Lee", Email: "ann@clinic.example"}

// RunPasskeys runs the conformance suite for identity.Passkeys of the website at PasskeyOrigin.
func RunPasskeys(t *testing.T, passkeys identity.Passkeys) {
	s := passkeySuite{passkeys}
	for name, test := range map[string]func(*testing.T){
		"options name the website and require verified users":       s.testOptions,
		"a registered passkey signs its owner in":                   s.testSignIn,
		"Register refuses other responses":                          s.testRegisterRefuses,
		"SignIn refuses other responses":                            s.testSignInRefuses,
		"SignIn refuses a copied passkey":                           s.testCopiedPasskey,
		"SignIn refuses a change of whether a passkey can be saved": s.testBackupEligible,
		"malformed responses are refused":                           s.testMalformed,
	} {
		t.Run(name, test)
	}
}

type passkeySuite struct{ identity.Passkeys }

func newOwnAuthenticator() *Authenticator {
	return NewAuthenticator(PasskeyOrigin, strings.TrimPrefix(PasskeyOrigin, "https://"))
}

// register returns the passkey that an authenticator has registered.
func (s passkeySuite) register(t *testing.T, a *Authenticator) account.Passkey {
	t.Helper()
	options, challenge, err := s.NewRegistration(passkeyOwner, nil)
	require.NoError(t, err)
	passkey, err := s.Register(passkeyOwner.ID, challenge, a.Register(t, options))
	require.NoError(t, err)
	return passkey
}

func (s passkeySuite) newSignIn(t *testing.T) (options []byte, challenge string) {
	t.Helper()
	options, challenge, err := s.NewSignIn()
	require.NoError(t, err)
	return options, challenge
}

func (s passkeySuite) testOptions(t *testing.T) {
	passkey := s.register(t, newOwnAuthenticator())
	optionsJSON, challenge, err := s.NewRegistration(passkeyOwner, []account.Passkey{passkey})
	require.NoError(t, err)
	var creation struct {
		RP   struct{ ID, Name string }
		User struct {
			ID, Name, DisplayName string
		}
		Challenge              string
		ExcludeCredentials     []struct{ ID string }
		AuthenticatorSelection struct{ ResidentKey, UserVerification string }
		Attestation            string
	}
	require.NoError(t, json.Unmarshal(optionsJSON, &creation))
	assert.Equal(t, "diy.example", creation.RP.ID)
	assert.Equal(t, passkeyOwner.Email, creation.User.Name)
	assert.Equal(t, "Ann Lee", creation.User.DisplayName)
	assert.Equal(t, challenge, creation.Challenge)
	require.Len(t, creation.ExcludeCredentials, 1)
	assert.Equal(t, passkey.CredentialID, creation.ExcludeCredentials[0].ID)
	assert.Equal(t, "required", creation.AuthenticatorSelection.ResidentKey)
	assert.Equal(t, "required", creation.AuthenticatorSelection.UserVerification)
	assert.Contains(t, []string{"", "none"}, creation.Attestation)

	signInJSON, challenge := s.newSignIn(t)
	var request map[string]any
	require.NoError(t, json.Unmarshal(signInJSON, &request))
	assert.Equal(t, challenge, request["challenge"])
	assert.Equal(t, "required", request["userVerification"])
	assert.NotContains(t, request, "allowCredentials")
	_, anotherChallenge := s.newSignIn(t)
	assert.NotEqual(t, challenge, anotherChallenge)
}

func (s passkeySuite) testSignIn(t *testing.T) {
	a := newOwnAuthenticator()
	passkey := s.register(t, a)
	assert.NotEmpty(t, passkey.PublicKey)
	a.Credential.Counter = 7
	options, challenge := s.newSignIn(t)
	response := a.SignIn(t, options)

	userID, credentialID, err := s.Owner(response)
	require.NoError(t, err)
	assert.Equal(t, passkeyOwner.ID, userID)
	assert.Equal(t, passkey.CredentialID, credentialID)
	used, err := s.SignIn(userID, passkey, challenge, response)
	require.NoError(t, err)
	passkey.SignCount = 7
	assert.Equal(t, passkey, used)
}

func (s passkeySuite) testRegisterRefuses(t *testing.T) {
	for name, change := range map[string]func(a *Authenticator, challenge *string){
		"another challenge":  func(_ *Authenticator, challenge *string) { *challenge = strings.Repeat("A", 43) },
		"another origin":     func(a *Authenticator, _ *string) { a.Website.Origin = "https://evil.example" },
		"another website":    func(a *Authenticator, _ *string) { a.Website.ID = "evil.example" },
		"an unverified user": func(a *Authenticator, _ *string) { a.Authenticator.Options.UserNotVerified = true },
		"an absent user":     func(a *Authenticator, _ *string) { a.Authenticator.Options.UserNotPresent = true },
	} {
		a := newOwnAuthenticator()
		options, challenge, err := s.NewRegistration(passkeyOwner, nil)
		require.NoError(t, err)
		change(a, &challenge)
		_, err = s.Register(passkeyOwner.ID, challenge, a.Register(t, options))
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), name)
	}
}

func (s passkeySuite) testSignInRefuses(t *testing.T) {
	for name, change := range map[string]func(a *Authenticator, userID, challenge *string, passkey *account.Passkey){
		"another challenge": func(_ *Authenticator, _, challenge *string, _ *account.Passkey) {
			*challenge = strings.Repeat("A", 43)
		},
		"another origin":  func(a *Authenticator, _, _ *string, _ *account.Passkey) { a.Website.Origin = "https://evil.example" },
		"another website": func(a *Authenticator, _, _ *string, _ *account.Passkey) { a.Website.ID = "evil.example" },
		"an unverified user": func(a *Authenticator, _, _ *string, _ *account.Passkey) {
			a.Authenticator.Options.UserNotVerified = true
		},
		"another user": func(_ *Authenticator, userID, _ *string, _ *account.Passkey) { *userID = "user_other" },
		"another key": func(a *Authenticator, _, _ *string, _ *account.Passkey) {
			a.Credential.Key = newCredential().Key
		},
		"another passkey": func(_ *Authenticator, _, _ *string, passkey *account.Passkey) {
			passkey.CredentialID = strings.Repeat("A", 43)
		},
		"no user": func(a *Authenticator, _, _ *string, _ *account.Passkey) { a.Authenticator.Options.UserHandle = nil },
	} {
		a, userID := newOwnAuthenticator(), passkeyOwner.ID
		passkey := s.register(t, a)
		options, challenge := s.newSignIn(t)
		change(a, &userID, &challenge, &passkey)
		_, err := s.SignIn(userID, passkey, challenge, a.SignIn(t, options))
		assert.Equal(t, fault.Credentials, fault.CodeOf(err), name)
	}
}

func (s passkeySuite) testCopiedPasskey(t *testing.T) {
	a := newOwnAuthenticator()
	passkey := s.register(t, a)
	passkey.SignCount, a.Credential.Counter = 8, 8
	options, challenge := s.newSignIn(t)
	_, err := s.SignIn(passkeyOwner.ID, passkey, challenge, a.SignIn(t, options))
	assert.Equal(t, fault.Credentials, fault.CodeOf(err))
}

func (s passkeySuite) testBackupEligible(t *testing.T) {
	a := newOwnAuthenticator()
	a.Authenticator.Options.BackupEligible = true
	passkey := s.register(t, a)
	assert.True(t, passkey.BackupEligible)
	options, challenge := s.newSignIn(t)
	_, err := s.SignIn(passkeyOwner.ID, passkey, challenge, a.SignIn(t, options))
	require.NoError(t, err)
	a.Authenticator.Options.BackupEligible = false
	_, err = s.SignIn(passkeyOwner.ID, passkey, challenge, a.SignIn(t, options))
	assert.Equal(t, fault.Credentials, fault.CodeOf(err))
}

func (s passkeySuite) testMalformed(t *testing.T) {
	passkey := s.register(t, newOwnAuthenticator())
	_, challenge := s.newSignIn(t)
	for _, response := range []string{"", "{}", "null", `{"id":"x","rawId":"x","type":"public-key","response":{}}`, "\xff"} {
		_, err := s.Register(passkeyOwner.ID, challenge, []byte(response))
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), response)
		_, _, err = s.Owner([]byte(response))
		assert.Equal(t, fault.Credentials, fault.CodeOf(err), response)
		_, err = s.SignIn(passkeyOwner.ID, passkey, challenge, []byte(response))
		assert.Equal(t, fault.Credentials, fault.CodeOf(err), response)
	}
}
