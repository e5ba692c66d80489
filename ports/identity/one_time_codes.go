package identity

// OneTimeCodes computes the codes of authenticator apps: six digits with HMAC-SHA-1 and steps of account.CodeStep (RFC
// 6238), which all apps support.
type OneTimeCodes interface {
	// NewSecret returns a random secret of 160 bits, in base32 without padding.
	NewSecret() string
	// CodeAt returns the code of a step, which is the number of steps since 1970. The error is Internal for a secret that
	// is not base32.
	CodeAt(secret string, step int64) (string, error)
	// QRCode returns the QR code with which an app adds the secret. The app shows the names of the issuer and of the
	// account. The rows of the square consist of '1' for a dark module and '0' for a light one, without a quiet zone.
	QRCode(secret, issuer, account string) ([]string, error)
}
