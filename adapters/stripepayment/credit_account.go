package stripepayment

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// metaCreditChange holds a creditChange in the metadata of the charge or the customer that causes it. The balance
// transaction that applies the change holds the change's key under the same name.
const metaCreditChange = "credit_change"

// creditChange describes a change of the customer's balance or, with an empty key, of the held credit. It is written to
// the metadata before it is applied, and removed afterwards, so that an interrupted change is completed exactly once.
type creditChange struct {
	amount     int64  // of the balance transaction; negative for more credit
	heldCredit int64  // the held credit after the change
	key        string // idempotency key of the balance transaction
}

// String formats the change as a metadata value that parseCreditChange can read.
func (c creditChange) String() string {
	if c.key == "" {
		return fmt.Sprintf("held %d", c.heldCredit)
	}
	return fmt.Sprintf("balance %d %s", c.amount, c.key)
}

// parseCreditChange parses a value of metaCreditChange. It returns false for an empty or malformed one.
func parseCreditChange(value string) (c creditChange, ok bool) {
	if n, _ := fmt.Sscanf(value, "held %d", &c.heldCredit); n == 1 {
		return c, true
	}
	n, _ := fmt.Sscanf(value, "balance %d %s", &c.amount, &c.key)
	return c, n == 2
}

// creditAccount changes the credit of a customer whose payments were returned. While the customer is on hold, the credit
// is held: it is taken out of the balance, so that no invoice uses it. Amounts are in Stripe's units.
type creditAccount struct {
	provider *Provider
	customer *stripe.Customer // with its subscriptions that have not ended
	charges  []*stripe.Charge // newest first
}

// loadCreditAccount reads the customer and its charges, see load.
func (p *Provider) loadCreditAccount(ctx context.Context, customerID string) (*creditAccount, error) {
	a := &creditAccount{provider: p}
	return a, a.load(ctx, customerID)
}

// load reads the customer and its charges, and applies recorded changes that were interrupted.
func (a *creditAccount) load(ctx context.Context, customerID string) (err error) {
	if a.customer, err = a.provider.readCustomer(ctx, customerID, expandSubscriptions); err != nil {
		return err
	}
	if a.charges, err = a.provider.listCharges(ctx, customerID); err != nil {
		return err
	}
	return a.applyRecordedChanges(ctx)
}

// findCharge returns the charge with the id, which must be one of the customer's.
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
	params.AddExpand(expandRefunds)
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list charges", err)
		}
		charges = append(charges, charge)
	}
	return charges, nil
}

// billingCustomer returns the customer, or the zero value if it could not be read.
func (a *creditAccount) billingCustomer() billing.Customer {
	if a.customer == nil {
		return billing.Customer{}
	}
	return customerOf(a.customer)
}

// heldCredit returns the held credit of the customer.
func (a *creditAccount) heldCredit() int64 { return heldCreditOf(a.customer) }

func heldCreditOf(c *stripe.Customer) int64 {
	credit, _ := strconv.ParseInt(c.Metadata[metaHeldCredit], 10, 64) // 0 if there is no value
	return credit
}

// availableCredit returns the credit from which a returned payment can be withdrawn.
func (a *creditAccount) availableCredit() int64 {
	if a.isOnHold() {
		return a.heldCredit()
	}
	return max(0, -a.customer.Balance)
}

// newCreditChange returns the change that adds the amount to the balance or, while the customer is on hold, to the held
// credit.
func (a *creditAccount) newCreditChange(amount int64, key string) creditChange {
	if a.isOnHold() {
		return creditChange{heldCredit: a.heldCredit() + amount}
	}
	return creditChange{amount: -amount, key: key}
}

// holdCredit moves the credit of a customer on hold from the balance to the held credit. It does nothing for other
// customers.
func (a *creditAccount) holdCredit(ctx context.Context) error {
	credit := -a.customer.Balance
	if !a.isOnHold() || credit <= 0 {
		return nil
	}
	// The fingerprint gives a later change with the same amounts a different key.
	key := fmt.Sprintf("set-aside-%s-%d-%d-%s", a.customer.ID, a.heldCredit(), credit, a.fingerprint())
	err := a.updateCustomerMetadata(ctx, newKey(), map[string]string{
		metaHeldCredit:   strconv.FormatInt(a.heldCredit()+credit, 10),
		metaCreditChange: creditChange{amount: credit, key: key}.String(),
	})
	if err != nil {
		return err
	}
	return a.applyRecordedChanges(ctx)
}

// fingerprint returns a hash of the return records of all charges.
func (a *creditAccount) fingerprint() string {
	sum := fnv.New64a()
	for _, charge := range a.charges {
		_, _ = fmt.Fprintln(sum, charge.ID, charge.Metadata[metaRefund], charge.Metadata[metaDispute]) // a hash returns no error
	}
	return strconv.FormatUint(sum.Sum64(), 16)
}

// applyRecordedChanges applies the changes that are recorded with the customer and its charges, and removes the records.
func (a *creditAccount) applyRecordedChanges(ctx context.Context) error {
	if change, ok := parseCreditChange(a.customer.Metadata[metaCreditChange]); ok {
		if err := a.applyCreditChange(ctx, change); err != nil {
			return err
		}
		if err := a.updateCustomerMetadata(ctx, newKey(), map[string]string{metaCreditChange: ""}); err != nil {
			return err
		}
	}
	for _, charge := range a.charges {
		change, ok := parseCreditChange(charge.Metadata[metaCreditChange])
		if !ok {
			continue
		}
		if err := a.applyCreditChange(ctx, change); err != nil {
			return err
		}
		if err := a.updateChargeMetadata(ctx, charge, map[string]string{metaCreditChange: ""}); err != nil {
			return err
		}
	}
	return nil
}

// applyCreditChange applies a change unless its balance transaction exists.
func (a *creditAccount) applyCreditChange(ctx context.Context, c creditChange) error {
	if c.key == "" {
		return a.updateCustomerMetadata(ctx, newKey(), map[string]string{metaHeldCredit: strconv.FormatInt(c.heldCredit, 10)})
	}
	isApplied, err := a.hasBalanceTransaction(ctx, c.key)
	if err != nil || isApplied {
		return err
	}
	params := &stripe.CustomerBalanceTransactionCreateParams{
		Customer: &a.customer.ID, Amount: &c.amount, Currency: stripe.String(string(a.customer.Currency)),
		Description: new("Credit of a returned payment"), Metadata: newMetadata(metaCreditChange, c.key),
	}
	params.SetIdempotencyKey(c.key)
	transaction, err := a.provider.stripe.V1CustomerBalanceTransactions.Create(ctx, params)
	if err != nil {
		return a.provider.logFault(ctx, "change credit", err)
	}
	a.customer.Balance = transaction.EndingBalance
	return nil
}

// hasBalanceTransaction reports whether the customer has the balance transaction of the change with the key. Stripe's
// idempotency keys do not suffice, because Stripe forgets them after a day.
func (a *creditAccount) hasBalanceTransaction(ctx context.Context, key string) (bool, error) {
	params := &stripe.CustomerBalanceTransactionListParams{Customer: &a.customer.ID}
	params.Limit = new(int64(pageSize))
	for transaction, err := range a.provider.stripe.V1CustomerBalanceTransactions.List(ctx, params).All(ctx) {
		if err != nil {
			return false, a.provider.logFault(ctx, "list balance transactions", err)
		}
		if transaction.Metadata[metaCreditChange] == key {
			return true, nil
		}
	}
	return false, nil
}

// updateCustomerMetadata changes the customer's metadata. An empty value removes its entry.
func (a *creditAccount) updateCustomerMetadata(ctx context.Context, key string, entries map[string]string) error {
	params := &stripe.CustomerUpdateParams{Metadata: entries}
	params.AddExpand(expandDefaultMethod)
	params.SetIdempotencyKey(key)
	customer, err := a.provider.stripe.V1Customers.Update(ctx, a.customer.ID, params)
	if err != nil {
		return a.provider.logKeyFault(ctx, "update credit", a.customer.ID, key, err)
	}
	customer.Subscriptions = a.customer.Subscriptions
	a.customer = customer
	return nil
}

// updateChargeMetadata changes the charge's metadata. An empty value removes its entry.
func (a *creditAccount) updateChargeMetadata(ctx context.Context, charge *stripe.Charge, entries map[string]string) error {
	params := &stripe.ChargeUpdateParams{Metadata: entries}
	params.SetIdempotencyKey(newKey())
	updatedCharge, err := a.provider.stripe.V1Charges.Update(ctx, charge.ID, params)
	if err != nil {
		return a.provider.logFault(ctx, "record returned payment", err)
	}
	charge.Metadata = updatedCharge.Metadata
	return nil
}
