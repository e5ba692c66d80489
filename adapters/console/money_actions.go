package console

import (
	"context"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
)

// billingActions returns the actions that change the plan, payments, or credit of an organisation.
func (c *Console) billingActions() []action {
	return []action{
		{"extend-trial", "Extend the trial", "Extend the trial", operators.MayExtendTrial, c.prepareExtendTrial, c.extendTrial},
		{"end-plan", "End the plan", "End the plan", operators.MayEndPlan, c.prepareEndPlan, c.endPlan},
		{"refund", "Refund a payment", "Refund", operators.MayRefund, c.prepareRefund, c.refund},
		{"free-month", "Add a free month", "Add the credit", operators.MayGrantFreeMonth, c.prepareFreeMonth, c.grantFreeMonth},
		{"lift-hold", "Lift the hold", "Lift the hold", operators.MayLiftHold, c.prepareLiftHold, c.liftHold},
	}
}

// useCaseRequest returns the request for a use case of package operators.
func (req actionRequest) useCaseRequest() operators.ActionRequest {
	return operators.ActionRequest{
		OrganisationID: req.OrganisationID, Key: req.Key, Reason: req.Reason, Ticket: req.Ticket, Note: req.Note, Figures: req.Figures,
	}
}

// newActionForm returns the form that shows the effect.
func newActionForm(e operators.Effect, notes ...string) actionForm {
	form := actionForm{Notes: notes}
	for _, f := range e.Figures {
		form.Figures = append(form.Figures, figure{f.Label, f.Value})
	}
	if e.Warning != "" {
		form.Notes = append([]string{e.Warning}, notes...)
	}
	return form
}

func (c *Console) prepareExtendTrial(ctx context.Context, organisationID string) (actionForm, error) {
	effect, maxDays, err := c.UseCases.ExtendTrial.Preview(ctx, organisationID)
	form := newActionForm(effect, "Nothing is charged before the new end of the trial.")
	form.Fields = []field{{Name: "days", Label: "Days", Value: strconv.Itoa(maxDays), Hint: "At most " + strconv.Itoa(maxDays) + " days."}}
	return form, err
}

func (c *Console) extendTrial(ctx context.Context, req actionRequest) error {
	days, _ := strconv.Atoi(strings.TrimSpace(req.Form.Get("days"))) // 0 is refused
	_, err := c.UseCases.ExtendTrial.Do(ctx, req.useCaseRequest(), days)
	return err
}

func (c *Console) prepareEndPlan(ctx context.Context, organisationID string) (actionForm, error) {
	effect, err := c.UseCases.EndPlan.Preview(ctx, organisationID)
	return newActionForm(effect, "The customer gets the same emails as after ending the plan on the dashboard."), err
}

func (c *Console) endPlan(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.EndPlan.Do(ctx, req.useCaseRequest())
	return err
}

func (c *Console) prepareFreeMonth(ctx context.Context, organisationID string) (actionForm, error) {
	effect, err := c.UseCases.GrantFreeMonth.Preview(ctx, organisationID)
	return newActionForm(effect, "The credit is deducted from the next invoices."), err
}

func (c *Console) grantFreeMonth(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.GrantFreeMonth.Do(ctx, req.useCaseRequest())
	return err
}

func (c *Console) prepareLiftHold(ctx context.Context, organisationID string) (actionForm, error) {
	effect, err := c.UseCases.LiftHold.Preview(ctx, organisationID)
	return newActionForm(effect, "The organisation can subscribe, change its plan and use its credit again."), err
}

func (c *Console) liftHold(ctx context.Context, req actionRequest) error {
	_, err := c.UseCases.LiftHold.Do(ctx, req.useCaseRequest())
	return err
}

// prepareRefund shows the newest invoice with a payment that can be refunded.
func (c *Console) prepareRefund(ctx context.Context, organisationID string) (actionForm, error) {
	preview, err := c.UseCases.RefundInvoice.PreviewNewest(ctx, organisationID)
	if err != nil {
		return actionForm{}, err
	}
	currency := preview.Max.Currency().Code
	form := newActionForm(preview.Effect, "The money goes to the payment method that was charged. A bank can take 10 days.",
		"Credit that came from the payment is withdrawn. The plan stays as it is.")
	form.Fields = []field{
		{Name: "amount", Label: "Amount in " + currency, Value: strings.TrimPrefix(preview.Max.FormatWithCode(), currency+" ")},
	}
	return form, nil
}

func (c *Console) refund(ctx context.Context, req actionRequest) error {
	if isDone, err := c.UseCases.FindAction.Do(ctx, req.OrganisationID, req.Key); err != nil || isDone {
		return err
	}
	invoice, err := c.UseCases.RefundInvoice.PreviewNewest(ctx, req.OrganisationID)
	if err != nil {
		return err
	}
	amount, err := money.Parse(strings.TrimSpace(req.Form.Get("amount")), invoice.Max.Currency().Code)
	if err != nil {
		return fault.Wrap(err, fault.Invalid, "Enter an amount such as 39.00.")
	}
	_, err = c.UseCases.RefundInvoice.Do(ctx, req.useCaseRequest(), invoice.Invoice.ID, amount)
	return err
}
