package bankdebit

import (
	"cmp"
	"context"
	"net/url"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
)

// paymentStates contains the state of a payment by its status at the provider.
var paymentStates = map[string]gateway.State{
	"pending_customer_approval": gateway.Processing, "pending_submission": gateway.Processing, "submitted": gateway.Processing,
	"confirmed": gateway.Paid, "paid_out": gateway.Paid, "charged_back": gateway.Returned,
	"cancelled": gateway.Canceled, "customer_approval_denied": gateway.Failed, "failed": gateway.Failed,
}

// refundStates contains the state of a refund that has ended by its status at the provider.
var refundStates = map[string]gateway.State{"paid": gateway.Paid, "bounced": gateway.Failed, "cancelled": gateway.Failed}

// declines contains the kind of decline by the cause of the failure. All other causes are soft declines.
var declines = map[string]gateway.Decline{
	"bank_account_closed": gateway.HardDecline, "invalid_bank_details": gateway.HardDecline,
	"mandate_cancelled": gateway.MethodGone, "mandate_expired": gateway.MethodGone,
}

// payment returns the state of a payment or a billing request.
func (g *Gateway) payment(ctx context.Context, r resource) (p gateway.Payment, err error) {
	if resourceName(r.ID) == "billing_requests" {
		return g.billingRequestPayment(ctx, r)
	}
	p.Key, p.Ref, p.State = r.Metadata["key"], r.ID, paymentStates[r.Status]
	if p.Amount, err = money.New(r.Amount, r.Currency); err != nil {
		return p, err
	}
	if p.Method, err = g.method(ctx, r.Links["mandate"]); err != nil {
		return p, err
	}
	switch p.State {
	case gateway.Processing:
		p.ExpectedBy, err = time.Parse(time.DateOnly, r.ChargeDate)
	case gateway.Failed, gateway.Returned:
		p.Decline, p.Reason, err = g.cause(ctx, url.Values{"payment": {r.ID}, "action": {r.Status}})
	case gateway.Paid:
		p.Refunds, err = g.refunds(ctx, r)
	}
	return p, err
}

// billingRequestPayment returns the payment of a billing request. A request that only saves a mandate is a payment of 0.
func (g *Gateway) billingRequestPayment(ctx context.Context, r resource) (p gateway.Payment, err error) {
	if id := r.Links["payment_request_payment"]; id != "" {
		return g.Find(ctx, gateway.Reference{Ref: id})
	}
	p.Key, p.Ref = r.Metadata["key"], r.ID
	if p.Amount, err = money.New(r.PaymentRequest.Amount, r.MandateRequest.Currency); err != nil {
		return p, err
	}
	switch r.Status {
	case "cancelled":
		p.State = gateway.Canceled
	case "fulfilled":
		p.State = gateway.Paid
		p.Method, err = g.method(ctx, r.Links["mandate_request_mandate"])
	default:
		flow, err := g.create(ctx, "billing_request_flows", r.ID, map[string]any{
			"redirect_uri": r.Metadata["return_to"], "links": map[string]string{"billing_request": r.ID},
		})
		if fault.Is(err, fault.Conflict) {
			return g.Find(ctx, p.Reference) // the customer has just completed the page
		}
		if err != nil {
			return p, err
		}
		p.State, p.URL = gateway.Open, flow.PageURL
		_, p.Reason, err = g.cause(ctx, url.Values{"billing_request": {r.ID}, "action": {"bank_authorisation_denied"}})
		return p, err
	}
	return p, err
}

// method returns the method for a mandate, with the details of its bank account.
func (g *Gateway) method(ctx context.Context, ref string) (*gateway.Method, error) {
	mandate, err := g.get(ctx, "mandates", ref)
	if err != nil {
		return nil, err
	}
	account, err := g.get(ctx, "customer_bank_accounts", mandate.Links["customer_bank_account"])
	return &gateway.Method{Ref: ref, Details: billing.PaymentMethod{
		Kind: billing.BankDebitMethod, Label: account.BankName + " ••" + account.AccountEnding, Fingerprint: account.Fingerprint,
	}}, err
}

// cause returns why a payment has failed or was returned, or why its page has refused an account. Only events contain
// causes.
func (g *Gateway) cause(ctx context.Context, filters url.Values) (gateway.Decline, string, error) {
	events, err := g.list(ctx, "events", filters)
	if err != nil || len(events) == 0 {
		return gateway.SoftDecline, "", err
	}
	return declines[events[0].Details.Cause], events[0].Details.Description, nil
}

func (g *Gateway) refunds(ctx context.Context, r resource) (refunds []gateway.Refund, err error) {
	resources, err := g.list(ctx, "refunds", url.Values{"payment": {r.ID}, "limit": {"500"}})
	for _, res := range resources {
		refund, err := toRefund(res, r.Currency)
		if err != nil {
			return nil, err
		}
		refunds = append(refunds, refund)
	}
	return refunds, err
}

func toRefund(r resource, currency string) (gateway.Refund, error) {
	amount, err := money.New(r.Amount, currency)
	return gateway.Refund{
		Key: r.Metadata["key"], Ref: r.ID, Amount: amount, State: cmp.Or(refundStates[r.Status], gateway.Processing),
	}, err
}
