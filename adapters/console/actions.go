package console

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/trace"
)

// action is a change of an organisation that an operator confirms in a form. GET shows its effect in figures; POST makes it and
// leads to the timeline.
type action struct {
	name       string // in the path
	title      string
	button     string
	permission operators.Permission
	kind       audit.Kind // of its entry in the audit log
	// prepare returns what the form shows, or the error why the action is refused.
	prepare func(ctx context.Context, organisationID string, query url.Values) (actionForm, error)
	// perform makes the action. A repeat with the same key changes nothing.
	perform func(ctx context.Context, req actionRequest) error
	// next is the name of the action whose form follows; "" leads to the timeline.
	next string
	// hasReason means that the action continues another one, whose reason and ticket it has. Its form asks for none.
	hasReason bool
}

// simpleUseCase is the use case of an action whose form has no fields.
type simpleUseCase interface {
	Preview(ctx context.Context, organisationID string) (operators.Effect, error)
	Do(ctx context.Context, req operators.ActionRequest) error
}

// of returns the action of the use case. The notes are those of its form.
func (a action) of(u simpleUseCase, notes ...string) action {
	a.prepare = func(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
		effect, err := u.Preview(ctx, organisationID)
		return actionForm{Effect: effect, Notes: notes}, err
	}
	a.perform = func(ctx context.Context, req actionRequest) error { return u.Do(ctx, req.useCaseRequest()) }
	return a
}

// actionForm is what the form of an action shows.
type actionForm struct {
	operators.Effect
	Choices []choice // what the action can be about; none if there is one only
	// ChoicesName is the accessible name of the choices.
	ChoicesName string
	Fields      []field
	Notes       []string // further consequences
}

// choice is a link to the form about another subject, such as an invoice.
type choice struct {
	Label, Path string
	IsCurrent   bool
}

// field is an input of an action: a list if it has options, otherwise a text.
type field struct {
	Name, Label, Value, Hint string
	Options                  []option
	IsText                   bool // the text is no number
}

type option struct{ Value, Label string }

// actionRequest is what the operator has confirmed.
type actionRequest struct {
	OrganisationID string
	Key            string // requests with the same key act once
	Reason         audit.Reason
	Ticket, Note   string
	Figures        string     // those that the operator has seen
	Query          url.Values // of the form's path
	Form           url.Values // the fields of the action
}

// actions returns all actions. Each has a route for the form and one for its confirmation.
func (c *Console) actions() []action {
	return slices.Concat(c.billingActions(), c.callerActions(), []action{
		{
			name: "resend", title: "Send an email again", button: "Send the email", permission: operators.MayResendEmails,
			kind: audit.OperatorResentEmail, prepare: c.prepareResend, perform: c.resend,
		},
		action{
			name: "read-again", title: "Read from the payment provider again", button: "Read again", permission: operators.MayReadAgain,
			kind: audit.OperatorReadAgain,
		}.of(c.UseCases.ReadAgain, "The plan and the payments are read, as after an event of the provider. Nothing is charged.",
			"The timeline shows what has changed."),
		{
			name: "end-sessions", title: "End all sessions", button: "End the sessions", permission: operators.MayEndSessions,
			kind: audit.OperatorEndedSessions, prepare: c.prepareEndSessions, perform: c.endSessions,
		},
	})
}

// actionRoutes returns the routes of the actions.
func (c *Console) actionRoutes() (routes []route) {
	for _, a := range slices.Concat(c.actions(), c.transferActions()) {
		path := " /console/organisations/{id}/" + a.name
		routes = append(routes,
			route{"GET" + path, a.permission, func(w http.ResponseWriter, r *http.Request) error {
				return c.explainRefusal(w, r, a, c.showAction(w, r, a, http.StatusOK, nil))
			}},
			route{"POST" + path, a.permission, func(w http.ResponseWriter, r *http.Request) error {
				return c.explainRefusal(w, r, a, c.confirmAction(w, r, a))
			}})
	}
	return routes
}

// explainRefusal responds with a page that names the action and the reason why it is not possible. It returns other errors.
func (c *Console) explainRefusal(w http.ResponseWriter, r *http.Request, a action, err error) error {
	if !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Unsupported) {
		return err
	}
	return c.respond(w, r, statuses[fault.CodeOf(err)], "error", view{Title: a.title, Data: errorData{
		Message: fault.MessageOf(err), RequestID: trace.IDFromContext(r.Context()), Back: organisationPath(r.PathValue("id")),
	}})
}

// actionPage is the input of the template.
type actionPage struct {
	actionForm
	Title, Button, Token, Back string
	Reasons                    []option
	Errors                     []string
	Reason, Ticket, Note       string
}

// showAction shows the form of an action, with the message of err for a form that was sent with a mistake.
func (c *Console) showAction(w http.ResponseWriter, r *http.Request, a action, status int, err error) error {
	id := r.PathValue("id")
	form, prepareErr := a.prepare(r.Context(), id, r.URL.Query())
	if prepareErr != nil {
		return prepareErr
	}
	signedToken, tokenErr := c.newToken(r, a.name, id, form.Digest())
	if tokenErr != nil {
		return tokenErr
	}
	for i, f := range form.Fields {
		form.Fields[i].Value = cmp.Or(r.PostFormValue(f.Name), f.Value) // as it was entered
	}
	page := actionPage{
		actionForm: form, Title: a.title, Button: a.button, Token: signedToken, Back: organisationPath(id),
		Reason: r.PostFormValue("reason"), Ticket: r.PostFormValue("ticket"), Note: r.PostFormValue("note"),
	}
	for _, reason := range audit.Reasons() {
		if a.hasReason {
			break
		}
		page.Reasons = append(page.Reasons, option{string(reason), reason.Label()})
	}
	if err != nil {
		page.Errors = []string{fault.MessageOf(err)}
		for _, f := range fault.FieldsOf(err) {
			page.Errors = append(page.Errors, f.Message)
		}
	}
	return c.respond(w, r, status, "action", view{Title: a.title, Data: page})
}

// confirmAction makes an action and leads to the timeline. If the figures of the form have changed, it shows the form again.
func (c *Console) confirmAction(w http.ResponseWriter, r *http.Request, a action) error {
	id := r.PathValue("id")
	t, err := c.readToken(r, a.name, id)
	if err != nil {
		return err
	}
	err = a.perform(r.Context(), actionRequest{
		OrganisationID: id, Key: t.Key, Reason: audit.Reason(r.PostFormValue("reason")), Ticket: r.PostFormValue("ticket"),
		Note: r.PostFormValue("note"), Figures: t.Figures, Query: r.URL.Query(), Form: r.PostForm,
	})
	switch {
	case fault.Is(err, fault.Invalid):
		return c.showAction(w, r, a, http.StatusBadRequest, err)
	case errors.Is(err, operators.ErrFiguresChanged):
		return c.showAction(w, r, a, http.StatusConflict, err)
	case err != nil:
		return err
	}
	next := organisationPath(id) + "#timeline"
	if a.next != "" {
		next = organisationPath(id) + "/" + a.next
	}
	http.Redirect(w, r, next, http.StatusSeeOther) //nolint:gosec // a path of the console
	return nil
}

// prepareEndSessions lists the members whose sessions can be ended.
func (c *Console) prepareEndSessions(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	team, err := c.UseCases.EndSessions.Members(ctx, organisationID)
	if err != nil {
		return actionForm{}, err
	}
	return actionForm{
		Fields: []field{memberField(team.Members)},
		Notes: []string{
			"The member is signed out in all browsers, and links in emails to the member become void.",
			"All browsers of the member count as unknown, so that the next sign-in is reported by email.",
		},
	}, nil
}

func (c *Console) endSessions(ctx context.Context, req actionRequest) error {
	return c.UseCases.EndSessions.Do(ctx, req.useCaseRequest(), req.Form.Get("user"))
}
