package console

import (
	"context"
	"net/url"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
)

// linkTexts contains the texts of links that are sent anew.
var linkTexts = map[string]string{
	operators.VerificationLink: "Link to confirm the address", operators.PasswordLink: "Link for a new password",
	operators.InvitationLink: "Invitation",
}

// prepareResend lists the links and emails that can be sent to the stored addresses, and the reasons for those that can't
// be sent. It shows the subjects of emails but not their content.
func (c *Console) prepareResend(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	list, err := c.UseCases.ResendEmail.List(ctx, organisationID)
	if err != nil {
		return actionForm{}, err
	}
	emails := field{Name: "email", Label: "Email"}
	form := actionForm{Notes: []string{
		"The email goes to the stored address only. A link is a new one; a new invitation voids the earlier link.",
		"An email about billing that does not apply any more, such as a reminder of a paid invoice, is not sent.",
		"The timeline shows whether the mail server has accepted the email.",
	}}
	refused := map[string]bool{}
	for _, r := range list {
		if r.Refusal == nil {
			emails.Options = append(emails.Options, option{r.ID, describeResendable(r)})
			continue
		}
		note := "Not possible for " + r.Recipient + ": " + fault.MessageOf(r.Refusal)
		if !refused[note] {
			refused[note] = true
			form.Notes = append(form.Notes, note)
		}
	}
	form.Fields = []field{emails}
	return form, nil
}

// describeResendable returns the text of an option, which names the link or email and the address.
func describeResendable(r operators.Resendable) string {
	text, isLink := linkTexts[r.Kind]
	switch {
	case !isLink:
		return r.FinishedAt.UTC().Format("2 January 15:04 UTC") + ", " + r.Name + ", to " + r.Recipient
	case r.Name == "":
		return text + ", to " + r.Recipient
	}
	return text + ", to " + r.Name + ", " + r.Recipient
}

func (c *Console) resend(ctx context.Context, req actionRequest) error {
	return c.UseCases.ResendEmail.Do(ctx, req.useCaseRequest(), req.Form.Get("email"))
}
