package console

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// organisationPath returns the path of the page of an organisation.
func organisationPath(id string) string { return "/console/organisations/" + url.PathEscape(id) }

// organisationPage is the input of the template.
type organisationPage struct {
	operators.OrganisationView
	Badge                  badge
	Place, LocalTime, Path string
	Details                account.BillingDetails
	PlanName               string
	State                  []string // sentences about the plan
	Asked                  string   // what the customer is asked to do; "" for nothing
	Reason                 string   // that the customer reads
	Owed                   money.Amount
	Summary                app.BillingSummary
	Methods                []billing.PaymentMethod
	Invoices               []billing.Invoice
	ProviderFailed         bool // the payment provider could not be read
	Actions                []actionLink
	Group                  operators.Group
	Groups                 []groupLink
	Pending                []storage.PendingOperation
	Days                   []day
	Older                  string // the path of the older entries; "" for none
}

// actionLink leads to the form of an action.
type actionLink struct {
	Name, Title string
	Roles       []operators.Role
	Refusal     string // "" if the operator may use the action
}

// groupLink is a filter of the timeline.
type groupLink struct {
	Group       operators.Group
	Label, Path string
}

// Date returns the day in the organisation's time zone.
func (p organisationPage) Date(t time.Time) string { return p.Organisation.TimeZone().Date(t) }

// RefundPath returns the path of the form that refunds the payment of an invoice, or "" if it can't be refunded.
func (p organisationPage) RefundPath(inv billing.Invoice) string {
	mayRefund := slices.ContainsFunc(p.Actions, func(l actionLink) bool { return l.Name == "refund" && l.Refusal == "" })
	if !mayRefund || billing.CheckRefund(&p.Organisation.Billing, inv) != nil {
		return ""
	}
	return refundPath(p.Organisation.ID, inv.ID)
}

// showOrganisation shows an organisation, unless the operator has viewed too many.
func (c *Console) showOrganisation(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := c.countView(r.Context(), id); err != nil {
		return err
	}
	v, err := c.UseCases.ViewOrganisation.Do(r.Context(), id)
	if err != nil {
		return err
	}
	org := v.Organisation
	page := organisationPage{
		OrganisationView: v, Badge: statusBadge(org), Place: place(org.BillingDetails().Address), Path: organisationPath(id),
		LocalTime: org.TimeZone().In(c.Clock.Now()).Format("15:04"), Details: org.BillingDetails(),
	}
	c.addBilling(r.Context(), &page)
	if err := c.addActions(r.Context(), &page); err != nil {
		return err
	}
	if err := c.addTimeline(r, &page); err != nil {
		return err
	}
	return c.respond(w, r, http.StatusOK, "organisation", view{Title: org.Name, Data: page})
}

// addActions adds the links to the actions, after addBilling has read the provider.
func (c *Console) addActions(ctx context.Context, page *organisationPage) error {
	refusals, err := c.UseCases.ListRefusals.Do(ctx, page.Organisation.ID, page.Invoices)
	if err != nil {
		return err
	}
	for _, a := range c.actions() {
		link := actionLink{Name: a.name, Title: a.title, Roles: a.permission.Roles()}
		if !operators.FromContext(ctx).May(a.permission) {
			link.Refusal = "You do not have this role."
		} else if refusal := refusals[a.kind]; refusal != nil {
			link.Refusal = fault.MessageOf(refusal)
		}
		page.Actions = append(page.Actions, link)
	}
	return nil
}

// addBilling adds the summary, methods and invoices that the customer's own pages show. If the payment provider can't be
// read, it adds what is stored.
func (c *Console) addBilling(ctx context.Context, page *organisationPage) {
	org := page.Organisation
	reader := identity.Identity{OrganisationID: org.ID, Role: account.ReadingMember}
	var summaryErr, methodsErr error
	page.Summary, summaryErr = c.UseCases.ShowBilling.Do(ctx, reader)
	if page.Methods, methodsErr = c.UseCases.ListCards.Do(ctx, reader); fault.Is(methodsErr, fault.Unsupported) {
		methodsErr = nil // a provider that collects by invoice saves no payment methods
	}
	list, invoicesErr := c.UseCases.ListInvoices.Do(ctx, reader, operators.MaxInvoices, "")
	page.Invoices = list.Invoices
	if err := errors.Join(summaryErr, methodsErr, invoicesErr); err != nil {
		c.Log.WarnContext(ctx, "console shows the stored copy", "org", org.ID, "error", err)
		page.ProviderFailed = true
	}
	page.PlanName = c.plan(org)
	page.State = c.describePlan(org)
	if open := org.Billing.OpenPayment(); open != nil {
		page.Owed = open.Amount
	}
	next := org.Billing.NextAction()
	page.Asked, page.Reason = askedActions[next.Kind], next.Reason
}

// askedActions contains the request to the customer for each kind of the next action.
var askedActions = map[billing.NextActionKind]string{
	billing.ConfirmPayment: "approve the payment with the bank", billing.ConfirmSetup: "approve the card with the bank",
	billing.Redirect: "continue on the page of the payment provider", billing.NewPaymentMethod: "use another payment method",
	billing.Wait: "wait for the payment, or follow the instructions for it",
}

// describePlan returns sentences about the state of the organisation's plan.
func (c *Console) describePlan(org account.Organisation) (sentences []string) {
	zone, live := org.TimeZone(), org.Billing.LiveSubscription()
	add := func(condition bool, sentence string) {
		if condition {
			sentences = append(sentences, sentence)
		}
	}
	add(org.Billing.Hold() != billing.NoHold, "A payment was disputed: no plan change, no new plan and no use of credit until the hold ends.")
	if live == nil {
		add(len(org.Billing.Subscriptions) == 0, "The organisation has had no plan yet.")
		add(len(org.Billing.Subscriptions) > 0, "The last plan is not running any more.")
		return sentences
	}
	add(live.Status == billing.Trialing, "The trial ends on "+zone.Date(live.TrialEnd)+".")
	add(live.Status == billing.Active && live.EndsAt.IsZero(), "The plan renews on "+zone.Date(live.CurrentPeriodEnd)+".")
	add(live.Status == billing.PastDue, "The payment for the current period failed or is late.")
	add(!live.EndsAt.IsZero(), "The plan ends on "+zone.Date(live.EndsAt)+".")
	add(!live.UnpaidEndsAt.IsZero(), "If the invoice is not paid, the plan ends on "+zone.Date(live.UnpaidEndsAt)+".")
	if live.Pending != nil {
		add(true, "A change to "+c.planName(live.Pending.To)+" waits for its payment.")
	}
	if live.Scheduled != nil {
		add(true, "A change to "+c.planName(live.Scheduled.To)+" is scheduled for "+zone.Date(live.Scheduled.At)+".")
	}
	add(live.Pause != nil, "Charges are paused.")
	add(live.Managed, "Staff have arranged the plan at the payment provider.")
	return sentences
}

// addTimeline adds the entries of the audit log and the pending operations.
func (c *Console) addTimeline(r *http.Request, page *organisationPage) error {
	query := r.URL.Query()
	before, _ := strconv.ParseInt(query.Get("before"), 10, 64) // 0 for anything else
	for _, link := range []groupLink{
		{operators.AllEntries, "All", page.Path}, {operators.MoneyEntries, "Money", ""}, {operators.AccountEntries, "Account", ""},
		{operators.EmailEntries, "Emails", ""}, {operators.OperatorEntries, "Operators", ""},
	} {
		if link.Path == "" {
			link.Path = page.Path + "?show=" + string(link.Group) + "#timeline"
		}
		if query.Get("show") == string(link.Group) {
			page.Group = link.Group
		}
		page.Groups = append(page.Groups, link)
	}
	timeline, err := c.UseCases.ShowTimeline.Do(r.Context(), page.Organisation.ID, page.Group, max(0, before))
	if err != nil {
		return err
	}
	page.Pending = timeline.Pending
	page.Days = newDays(timeline.Entries, newNames(page.Team), page.Organisation.TimeZone(), c.Clock.Now())
	if timeline.Older > 0 {
		page.Older = page.Path + "?show=" + string(page.Group) + "&before=" + strconv.FormatInt(timeline.Older, 10) + "#timeline"
	}
	return nil
}
