package crash

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const password = "Secret-pass-1"

func registrationBody(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ann", "lastName": "King", "org": org, "email": email, "password": password,
		"contact": "+61 2 9000 0000", "billing_address": map[string]string{
			"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales", "postal_code": "2000", "country": "AU",
		},
	}
}

// register signs up. A repeated request may leave a second unverified registration, because the browser did not receive
// the cookie by which the server recognises a correction. The IDs are then recorded at the sign-in, because the user may
// verify either of them.
func (u *user) register(ctx context.Context) error {
	if _, err := u.get(ctx, "/vc-admin/diy/config.json"); err != nil {
		return err
	}
	res, err := u.post(ctx, "/vc-admin/signup", registrationBody(u.name(), u.email()))
	if err != nil {
		return err
	}
	if res.status != http.StatusCreated {
		return u.reportUnexpectedResponse("sign-up", res)
	}
	var signUp struct{ User, Org struct{ ID string } }
	if err := res.decode(&signUp); err != nil {
		return err
	}
	if !res.wasRepeated {
		u.userID, u.orgID = signUp.User.ID, signUp.Org.ID
	}
	u.countAcknowledgement()
	return nil
}

var verificationPathPattern = regexp.MustCompile(`/vc-admin/auth/verify\?token=[\w-]+`)

// openVerificationEmail opens the link in the verification email. It requests another email if none has arrived after a
// random time.
func (u *user) openVerificationEmail(ctx context.Context) error {
	resendAt := time.Now().Add(time.Duration(u.rnd.IntN(3000)) * time.Millisecond)
	for start := time.Now(); time.Since(start) < timeout; sleep(ctx, 50*time.Millisecond) {
		path, err := u.findVerificationPath(ctx)
		if err != nil {
			return err
		}
		if path != "" {
			return u.openVerificationPath(ctx, path)
		}
		if time.Now().After(resendAt) {
			resendAt = time.Now().Add(5 * time.Second)
			if err := u.resendVerification(ctx); err != nil {
				return err
			}
		}
	}
	u.harness.report.addLoss("user %d: no email", u.userNumber)
	return errStopped
}

func (u *user) findVerificationPath(ctx context.Context) (path string, err error) {
	res, err := u.get(ctx, "/dev/mailbox.json")
	if err != nil {
		return "", err
	}
	var emails []struct{ To, Text string }
	if err := res.decode(&emails); err != nil {
		return "", err
	}
	for _, email := range emails {
		if email.To == u.email() {
			return verificationPathPattern.FindString(email.Text), nil
		}
	}
	return "", nil
}

func (u *user) openVerificationPath(ctx context.Context, path string) error {
	res, err := u.get(ctx, path)
	if err != nil {
		return err
	}
	if token, mustConfirm := strings.CutPrefix(res.location, "/vc-admin/auth/confirm?token="); mustConfirm {
		return u.confirmRegistration(ctx, token)
	}
	if res.location != "/vc-admin/dash?verified=1" {
		return u.reportUnexpectedResponse("the email's link", res)
	}
	u.isVerified = true
	u.countAcknowledgement()
	return nil
}

// confirmRegistration verifies the user with the password. The server requires the password if the browser did not receive
// the response to the sign-up.
func (u *user) confirmRegistration(ctx context.Context, token string) error {
	res, err := u.post(ctx, "/vc-admin/auth/verify/confirm", map[string]string{"token": token, "password": password})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK {
		return u.reportUnexpectedResponse("confirming the registration", res)
	}
	u.isVerified = true
	u.countAcknowledgement()
	return nil
}

func (u *user) resendVerification(ctx context.Context) error {
	res, err := u.post(ctx, "/vc-admin/auth/verify/resend", map[string]string{"email": u.email()})
	if err == nil && res.status != http.StatusAccepted {
		err = u.reportUnexpectedResponse("resend verification email", res)
	}
	return err
}

func (u *user) signIn(ctx context.Context) error {
	res, err := u.post(ctx, "/auth/login", map[string]string{"username": u.email(), "password": password})
	if err != nil {
		return err
	}
	if res.status != http.StatusOK {
		return u.reportUnexpectedResponse("sign-in", res)
	}
	u.countAcknowledgement()
	u.isSignedOut = false
	d, err := u.detail(ctx)
	if err != nil {
		return err
	}
	u.recordOrCheckID("user", &u.userID, d.ID)
	u.recordOrCheckID("organisation", &u.orgID, d.OrgID)
	return nil
}
