package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// metaMove holds a change of the customer's credit that is recorded in the metadata of the same charge or customer,
// until it is made: see creditMove.
const metaMove = "credit_move"

// creditMove is a change of the customer's credit. It is written to the metadata before it is made, and removed
// afterwards, so that a change that was interrupted is completed once.
type creditMove struct {
	amount int64  // of the balance transaction, which is negative for credit; 0 for none
	held   int64  // the credit that is set aside afterwards, if key is ""
	key    string // of the balance transaction
}

// String returns the value of metaMove.
func (m creditMove) String() string {
	if m.key == "" {
		return fmt.Sprintf("held %d", m.held)
	}
	return fmt.Sprintf("balance %d %s", m.amount, m.key)
}

// parseCreditMove returns false for an empty value and one that it can't read.
func parseCreditMove(value string) (m creditMove, ok bool) {
	if n, _ := fmt.Sscanf(value, "held %d", &m.held); n == 1 {
		return m, true
	}
	n, _ := fmt.Sscanf(value, "balance %d %s", &m.amount, &m.key)
	return m, n == 2
}

// creditAccount changes the credit of a customer because payments were returned. Amounts are in Stripe's units.
type creditAccount struct {
	provider *Provider
	customer *stripe.Customer // with its subscriptions that have not ended
	charges  []*stripe.Charge // newest first
}

// openCredit reads the customer and its charges, and completes changes that were interrupted.
func (p *Provider) openCredit(ctx context.Context, customerID string) (*creditAccount, error) {
	a := &creditAccount{provider: p}
	return a, a.load(ctx, customerID)
}

// load reads the customer and its charges again.
func (a *creditAccount) load(ctx context.Context, customerID string) (err error) {
	if a.customer, err = a.provider.customer(ctx, customerID, expandSubscriptions); err != nil {
		return err
	}
	if a.charges, err = a.provider.listCharges(ctx, customerID); err != nil {
		return err
	}
	return a.completeMoves(ctx)
}

// findCharge returns the charge with the id.
func (a *creditAccount) findCharge(id string) *stripe.Charge {
	return a.charges[slices.IndexFunc(a.charges, func(c *stripe.Charge) bool { return c.ID == id })]
}

// listCharges returns the customer's charges, newest first.
func (p *Provider) listCharges(ctx context.Context, customerID string) (charges []*stripe.Charge, err error) {
	if err := checkID(customerID, "customer"); err != nil {
		return nil, err
	}
	params := &stripe.ChargeListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.fault(ctx, "list charges", err)
		}
		charges = append(charges, charge)
	}
	return charges, nil
}

func (a *creditAccount) billingCustomer() billing.Customer {
	if a.customer == nil {
		return billing.Customer{}
	}
	return customerOf(a.customer)
}

// heldCredit returns the credit that is set aside.
func (a *creditAccount) heldCredit() int64 { return heldCreditOf(a.customer) }

func heldCreditOf(c *stripe.Customer) int64 {
	held, _ := strconv.ParseInt(c.Metadata[metaHeldCredit], 10, 64) // 0 without one
	return held
}

// unspentCredit returns the credit from which a returned payment is withdrawn.
func (a *creditAccount) unspentCredit() int64 {
	if a.isHeld() {
		return a.heldCredit()
	}
	return max(0, -a.customer.Balance)
}

// newMove returns the move that adds the amount to the credit, or to what is set aside of it while the customer is on hold.
func (a *creditAccount) newMove(amount int64, key string) creditMove {
	if a.isHeld() {
		return creditMove{held: a.heldCredit() + amount}
	}
	return creditMove{amount: -amount, key: key}
}

// setCreditAside takes the credit of a customer on hold out of the balance.
func (a *creditAccount) setCreditAside(ctx context.Context) error {
	credit := -a.customer.Balance
	if !a.isHeld() || credit <= 0 {
		return nil
	}
	// The same amounts again are another change if other charges were disputed or refunded.
	key := fmt.Sprintf("set-aside-%s-%d-%d-%s", a.customer.ID, a.heldCredit(), credit, a.fingerprint())
	err := a.updateCustomer(ctx, newKey(), map[string]string{
		metaHeldCredit: strconv.FormatInt(a.heldCredit()+credit, 10),
		metaMove:       creditMove{amount: credit, key: key}.String(),
	})
	if err != nil {
		return err
	}
	return a.completeMoves(ctx)
}

// completeMoves makes the changes that are recorded and not made yet.
func (a *creditAccount) completeMoves(ctx context.Context) error {
	if move, ok := parseCreditMove(a.customer.Metadata[metaMove]); ok {
		if err := a.completeMove(ctx, move); err != nil {
			return err
		}
		if err := a.updateCustomer(ctx, newKey(), map[string]string{metaMove: ""}); err != nil {
			return err
		}
	}
	for _, charge := range a.charges {
		move, ok := parseCreditMove(charge.Metadata[metaMove])
		if !ok {
			continue
		}
		if err := a.completeMove(ctx, move); err != nil {
			return err
		}
		if err := a.updateCharge(ctx, charge, map[string]string{metaMove: ""}); err != nil {
			return err
		}
	}
	return nil
}

// completeMove makes a recorded change.
func (a *creditAccount) completeMove(ctx context.Context, m creditMove) error {
	if m.key == "" {
		return a.updateCustomer(ctx, newKey(), map[string]string{metaHeldCredit: strconv.FormatInt(m.held, 10)})
	}
	isMade, err := a.isMoveMade(ctx, m.key)
	if err != nil || isMade {
		return err
	}
	params := &stripe.CustomerBalanceTransactionCreateParams{
		Customer: &a.customer.ID, Amount: &m.amount, Currency: stripe.String(string(a.customer.Currency)),
		Description: new("Credit of a returned payment"), Metadata: metadata(metaMove, m.key),
	}
	params.SetIdempotencyKey(m.key)
	transaction, err := a.provider.stripe.V1CustomerBalanceTransactions.Create(ctx, params)
	if err != nil {
		return a.provider.fault(ctx, "change credit", err)
	}
	a.customer.Balance = transaction.EndingBalance
	return nil
}

// isMoveMade reports whether the balance transaction with the key was made. Stripe forgets idempotency keys after a day.
func (a *creditAccount) isMoveMade(ctx context.Context, key string) (bool, error) {
	params := &stripe.CustomerBalanceTransactionListParams{Customer: &a.customer.ID}
	params.Limit = new(int64(pageSize))
	for transaction, err := range a.provider.stripe.V1CustomerBalanceTransactions.List(ctx, params).All(ctx) {
		if err != nil {
			return false, a.provider.fault(ctx, "list balance transactions", err)
		}
		if transaction.Metadata[metaMove] == key {
			return true, nil
		}
	}
	return false, nil
}

// updateCustomer changes the customer's metadata. An empty value removes its name.
func (a *creditAccount) updateCustomer(ctx context.Context, key string, changes map[string]string) error {
	params := &stripe.CustomerUpdateParams{Metadata: changes}
	params.AddExpand(expandDefaultCard)
	params.SetIdempotencyKey(key)
	changed, err := a.provider.stripe.V1Customers.Update(ctx, a.customer.ID, params)
	if err != nil {
		return a.provider.keyFault(ctx, "update credit", a.customer.ID, key, err)
	}
	changed.Subscriptions = a.customer.Subscriptions
	a.customer = changed
	return nil
}

// updateCharge changes the charge's metadata. An empty value removes its name.
func (a *creditAccount) updateCharge(ctx context.Context, charge *stripe.Charge, changes map[string]string) error {
	params := &stripe.ChargeUpdateParams{Metadata: changes}
	params.SetIdempotencyKey(newKey())
	changed, err := a.provider.stripe.V1Charges.Update(ctx, charge.ID, params)
	if err != nil {
		return a.provider.fault(ctx, "record returned payment", err)
	}
	charge.Metadata = changed.Metadata
	return nil
}
