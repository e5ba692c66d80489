// Package onetimecodes implements identity.OneTimeCodes.
package onetimecodes

import (
	"crypto/rand"
	"encoding/base32"
	"image/color"
	"net/url"
	"strconv"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// secretSize is the number of random bytes of a secret, as RFC 4226 recommends.
const secretSize = 20

var encoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// Codes implements identity.OneTimeCodes. The zero value is ready for use.
type Codes struct{}

// NewSecret implements identity.OneTimeCodes.
func (Codes) NewSecret() string {
	secret := make([]byte, secretSize)
	_, _ = rand.Read(secret) // never fails
	return encoding.EncodeToString(secret)
}

// CodeAt implements identity.OneTimeCodes.
func (Codes) CodeAt(secret string, step int64) (string, error) {
	code, err := hotp.GenerateCodeCustom(secret, uint64(step), //nolint:gosec // steps are positive since 1970
		hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return "", fault.Wrap(err, fault.Internal, "a secret of an authenticator app can't be read")
	}
	return code, nil
}

// QRCode implements identity.OneTimeCodes. It encodes the link of the Key URI format, which authenticator apps support.
func (Codes) QRCode(secret, issuer, accountName string) ([]string, error) {
	period := strconv.Itoa(int(account.CodeStep / time.Second))
	link := "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(accountName) +
		"?secret=" + secret + "&issuer=" + url.PathEscape(issuer) + "&algorithm=SHA1&digits=6&period=" + period
	code, err := qr.Encode(link, qr.M, qr.Auto)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "the QR code can't be created")
	}
	bounds := code.Bounds()
	rows := make([]string, 0, bounds.Dy())
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		row := make([]byte, 0, bounds.Dx())
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			module := byte('0')
			if code.At(x, y) == color.Black {
				module = '1'
			}
			row = append(row, module)
		}
		rows = append(rows, string(row))
	}
	return rows, nil
}
