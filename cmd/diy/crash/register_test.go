package crash

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
)

const password = "Secret-pass-1"

func registration(org, email string) map[string]any {
	return map[string]any{
		"firstName": "Ann", "lastName": "King", "org": org, "email": email, "password": password,
		"contact": "+61 2 9000 0000", "billing_address": map[string]string{
			"line1": "1 Long Road", "city": "Sydney", "state": "New South Wales", "postal_code": "2000", "country": "AU",
		},
	}
}

// register signs up. That the name is taken is good news when the first try had no answer.
func (p *person) register(ctx context.Context) error {
	if _, err := p.get(ctx, "/vc-admin/diy/config.json"); err != nil {
		return err
	}
	a, err := p.post(ctx, "/vc-admin/signup", registration(p.name(), p.email()))
	switch {
	case err != nil:
		return err
	case a.status == http.StatusCreated:
		var made struct{ User, Org struct{ ID string } }
		if err := a.into(&made); err != nil {
			return err
		}
		p.user, p.org = made.User.ID, made.Org.ID
	case !a.again || !a.is("ERRDUPLICATE"):
		return p.refused("sign-up", a)
	}
	p.acknowledged()
	return nil
}

var link = regexp.MustCompile(`/vc-admin/auth/verify\?token=[\w-]+`)

// verify follows the link of the email. Whoever waits too long for one asks for another.
func (p *person) verify(ctx context.Context) error {
	asksAgain := time.Now().Add(time.Duration(p.rnd.IntN(3000)) * time.Millisecond)
	for began := time.Now(); time.Since(began) < patience; pause(ctx, 50*time.Millisecond) {
		path, err := p.newestLink(ctx)
		if err != nil {
			return err
		}
		if path != "" {
			return p.follow(ctx, path)
		}
		if time.Now().After(asksAgain) {
			asksAgain = time.Now().Add(5 * time.Second)
			if err := p.resend(ctx); err != nil {
				return err
			}
		}
	}
	p.world.report.lost("person %d: no email has come", p.number)
	return errGone
}

func (p *person) newestLink(ctx context.Context) (path string, err error) {
	a, err := p.get(ctx, "/dev/mailbox.json")
	if err != nil {
		return "", err
	}
	var emails []struct{ To, Text string }
	if err := a.into(&emails); err != nil {
		return "", err
	}
	for _, l := range emails {
		if l.To == p.email() {
			return link.FindString(l.Text), nil
		}
	}
	return "", nil
}

func (p *person) follow(ctx context.Context, path string) error {
	a, err := p.get(ctx, path)
	if err != nil {
		return err
	}
	if token, elsewhere := strings.CutPrefix(a.location, "/vc-admin/auth/confirm?token="); elsewhere {
		return p.confirm(ctx, token)
	}
	if a.location != "/vc-admin/dash?verified=1" {
		return p.refused("the email's link", a)
	}
	p.verified = true
	p.acknowledged()
	return nil
}

// confirm verifies with the password. A browser whose sign-up had no answer does not count as the one
// that registered.
func (p *person) confirm(ctx context.Context, token string) error {
	a, err := p.post(ctx, "/vc-admin/auth/verify/confirm", map[string]string{"token": token, "password": password})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return p.refused("confirming the registration", a)
	}
	p.verified = true
	p.acknowledged()
	return nil
}

func (p *person) resend(ctx context.Context) error {
	a, err := p.post(ctx, "/vc-admin/auth/verify/resend", map[string]string{"email": p.email()})
	if err == nil && a.status != http.StatusAccepted {
		err = p.refused("another email", a)
	}
	return err
}

func (p *person) signIn(ctx context.Context) error {
	a, err := p.post(ctx, "/auth/login", map[string]string{"username": p.email(), "password": password})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return p.refused("sign-in", a)
	}
	p.acknowledged()
	d, err := p.detail(ctx)
	if err != nil {
		return err
	}
	p.found("user", &p.user, d.ID)
	p.found("organisation", &p.org, d.OrgID)
	return nil
}

// found notes an id, or compares it with the one that was told before.
func (p *person) found(what string, known *string, id string) {
	if *known == "" {
		*known = id
	}
	if *known != id {
		p.world.report.doubled("person %d: %s %s, before %s", p.number, what, id, *known)
	}
}
