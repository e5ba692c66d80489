package console

import (
	"context"
	"net/url"
	"strconv"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
)

// enterCodeName is the name of the action whose form follows after a code was sent.
const enterCodeName = "caller-code"

// callerActions returns the actions that verify a caller.
func (c *Console) callerActions() []action {
	return []action{
		{
			name: "verify-caller", title: "Verify the caller", button: "Send a code", permission: operators.MayVerifyCallers,
			kind: audit.OperatorSentCode, prepare: c.prepareSendCode, perform: c.sendCode, next: enterCodeName,
		},
		{
			name: enterCodeName, title: "Enter the caller’s code", button: "Check the code", permission: operators.MayVerifyCallers,
			kind: audit.OperatorCheckedCaller, prepare: c.prepareEnterCode, perform: c.enterCode, hasReason: true,
		},
	}
}

func (c *Console) prepareSendCode(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	members, err := c.UseCases.SendCallerCode.Members(ctx, organisationID)
	return actionForm{
		Fields: []field{memberField(members)},
		Notes: []string{
			"The member gets an email with six digits and reads them to you. They are valid for ten minutes and three tries.",
			"An earlier code of the organisation becomes void. It gets at most " + strconv.Itoa(account.MaxCallerCodes) + " codes an hour.",
			"A right code tells you that the caller reads the emails of the member. It unlocks nothing.",
		},
	}, err
}

// memberField returns the list of the members.
func memberField(members []account.Member) field {
	f := field{Name: "user", Label: "Member"}
	for _, m := range members {
		f.Options = append(f.Options, option{m.UserID, m.FullName() + ", " + m.Email})
	}
	return f
}

func (c *Console) sendCode(ctx context.Context, req actionRequest) error {
	return c.UseCases.SendCallerCode.Do(ctx, req.useCaseRequest(), req.Form.Get("user"))
}

func (c *Console) prepareEnterCode(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	check, err := c.UseCases.EnterCallerCode.Check(ctx, organisationID)
	form := actionForm{
		Fields: []field{{Name: "code", Label: "Code", Hint: "Six digits that the caller reads from the email."}},
		Notes:  []string{"The timeline shows the result. A right code unlocks nothing."},
	}
	form.Figures = []operators.Figure{
		{Label: "Sent to", Value: check.Member.FullName() + ", " + check.Member.Email},
		{Label: "Valid until", Value: check.ExpiresAt.UTC().Format("15:04 UTC")},
		{Label: "Tries left", Value: strconv.Itoa(check.RemainingTries)},
	}
	return form, err
}

func (c *Console) enterCode(ctx context.Context, req actionRequest) error {
	return c.UseCases.EnterCallerCode.Do(ctx, req.useCaseRequest(), req.Form.Get("code"))
}
