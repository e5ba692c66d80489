package console

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
)

// billingActions returns the actions that change the plan, payments, or credit of an organisation.
func (c *Console) billingActions() []action {
	return []action{
		{
			name: "extend-trial", title: "Extend the trial", button: "Extend the trial", permission: operators.MayExtendTrial,
			kind: audit.OperatorExtendedTrial, prepare: c.prepareExtendTrial, perform: c.extendTrial,
		},
		action{
			name: "end-plan", title: "End the plan", button: "End the plan", permission: operators.MayEndPlan,
			kind: audit.OperatorEndedPlan,
		}.of(c.UseCases.EndPlan, "The customer gets the same emails as after ending the plan on the dashboard."),
		{
			name: "refund", title: "Refund a payment", button: "Refund", permission: operators.MayRefund,
			kind: audit.OperatorRefunded, prepare: c.prepareRefund, perform: c.refund,
		},
		action{
			name: "free-month", title: "Add a free month", button: "Add the credit", permission: operators.MayGrantFreeMonth,
			kind: audit.OperatorGrantedMonth,
		}.of(c.UseCases.GrantFreeMonth, "The credit is deducted from the next invoices."),
		action{
			name: "lift-hold", title: "Lift the hold", button: "Lift the hold", permission: operators.MayLiftHold,
			kind: audit.OperatorLiftedHold,
		}.of(c.UseCases.LiftHold, "The organisation can subscribe, change its plan and use its credit again."),
		{
			name: "grant-license", title: "Grant a developer license", button: "Grant the license",
			permission: operators.MayManageDevLicenses, kind: audit.OperatorGrantedLicense,
			prepare: c.prepareGrantLicense, perform: c.grantLicense,
		},
		action{
			name: "end-license", title: "End the developer license", button: "End the license",
			permission: operators.MayManageDevLicenses, kind: audit.OperatorEndedLicense,
		}.of(c.UseCases.EndDevLicense, "Without a plan the organisation can’t use the product any more."),
	}
}

// useCaseRequest returns the request for a use case of package operators.
func (req actionRequest) useCaseRequest() operators.ActionRequest {
	return operators.ActionRequest{
		OrganisationID: req.OrganisationID, Key: req.Key, Reason: req.Reason, Ticket: req.Ticket, Note: req.Note, Figures: req.Figures,
	}
}

func (c *Console) prepareExtendTrial(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	effect, maxDays, err := c.UseCases.ExtendTrial.Preview(ctx, organisationID)
	form := actionForm{Effect: effect, Notes: []string{"Nothing is charged before the new end of the trial."}}
	form.Fields = []field{{Name: "days", Label: "Days", Value: strconv.Itoa(maxDays), Hint: "At most " + strconv.Itoa(maxDays) + " days."}}
	return form, err
}

func (c *Console) extendTrial(ctx context.Context, req actionRequest) error {
	days, _ := strconv.Atoi(strings.TrimSpace(req.Form.Get("days"))) // 0 is refused
	return c.UseCases.ExtendTrial.Do(ctx, req.useCaseRequest(), days)
}

// prepareRefund shows the invoice of the query, or the newest one with a payment that can be refunded.
func (c *Console) prepareRefund(ctx context.Context, organisationID string, query url.Values) (actionForm, error) {
	invoices, err := c.UseCases.RefundInvoice.Invoices(ctx, organisationID)
	if err != nil {
		return actionForm{}, err
	}
	preview, err := c.UseCases.RefundInvoice.Preview(ctx, organisationID, query.Get("invoice"))
	if err != nil {
		return actionForm{}, err
	}
	currency := preview.Max.Currency().Code
	form := actionForm{Effect: preview.Effect, Notes: []string{
		"The money goes to the payment method that was charged. A bank can take 10 days.",
		"Credit that came from the payment is withdrawn. The plan stays as it is.",
	}}
	form.Fields = []field{{
		Name: "amount", Label: "Amount in " + currency, Value: strings.TrimPrefix(preview.Max.FormatWithCode(), currency+" "),
		Hint: "At most " + preview.Max.FormatWithCode() + ".",
	}}
	if len(invoices) == 1 && invoices[0].ID == preview.Invoice.ID {
		return form, nil
	}
	form.ChoicesName = "Invoice to refund"
	for _, inv := range invoices {
		form.Choices = append(form.Choices, choice{
			inv.Number + ", " + inv.Total.FormatWithCode(), refundPath(organisationID, inv.ID), inv.ID == preview.Invoice.ID,
		})
	}
	return form, nil
}

// refundPath returns the path of the form that refunds the payment of an invoice.
func refundPath(organisationID, invoiceID string) string {
	return organisationPath(organisationID) + "/refund?invoice=" + url.QueryEscape(invoiceID)
}

func (c *Console) refund(ctx context.Context, req actionRequest) error {
	return c.UseCases.RefundInvoice.Do(ctx, req.useCaseRequest(), req.Query.Get("invoice"), req.Form.Get("amount"))
}

func (c *Console) prepareGrantLicense(ctx context.Context, organisationID string, _ url.Values) (actionForm, error) {
	effect, err := c.UseCases.GrantDevLicense.Preview(ctx, organisationID)
	form := actionForm{Effect: effect, Notes: []string{"Nothing is charged. The license has no end; it replaces an earlier developer license."}}
	plans := field{Name: "plan", Label: "Plan"}
	for _, product := range c.UseCases.GrantDevLicense.Products() {
		plans.Options = append(plans.Options, option{product, c.Catalogue.PlanName(product)})
	}
	form.Fields = []field{plans}
	return form, err
}

func (c *Console) grantLicense(ctx context.Context, req actionRequest) error {
	return c.UseCases.GrantDevLicense.Do(ctx, req.useCaseRequest(), req.Form.Get("plan"))
}
