package audit

// Reason is the code of the reason of an operator's action.
type Reason string

// The reasons.
const (
	CustomerRequest  Reason = "customer_request"
	BillingError     Reason = "billing_error"
	DuplicatePayment Reason = "duplicate_payment"
	ServiceProblem   Reason = "service_problem"
	Goodwill         Reason = "goodwill"
	DisputeSettled   Reason = "dispute_settled"
	Partner          Reason = "partner"
	SecurityReason   Reason = "security"
	OtherReason      Reason = "other"
)

// reasonLabels contains the texts for operators.
var reasonLabels = map[Reason]string{
	CustomerRequest: "The customer asked", BillingError: "We charged a wrong amount", DuplicatePayment: "The customer paid twice",
	ServiceProblem: "A problem of our service", Goodwill: "Goodwill", DisputeSettled: "The dispute is settled",
	Partner: "Developer or partner", SecurityReason: "Security", OtherReason: "Another reason, see the ticket",
}

// Reasons returns all reasons in the order in which a form lists them.
func Reasons() []Reason {
	return []Reason{
		CustomerRequest, BillingError, DuplicatePayment, ServiceProblem, Goodwill, DisputeSettled, Partner, SecurityReason, OtherReason,
	}
}

// Label returns the text for operators, or "" for an unknown reason.
func (r Reason) Label() string { return reasonLabels[r] }
