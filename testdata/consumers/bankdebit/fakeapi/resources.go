package fakeapi

import "time"

// The types in this file are the resources of the API.

type customer struct {
	ID       string            `json:"id"`
	Name     string            `json:"company_name"`
	Email    string            `json:"email"`
	Metadata map[string]string `json:"metadata"`
}

type billingRequest struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"` // pending, fulfilled or cancelled
	Payment  *paymentRequest   `json:"payment_request,omitempty"`
	Mandate  mandateRequest    `json:"mandate_request"`
	Metadata map[string]string `json:"metadata"`
	Links    struct {
		Customer string `json:"customer"`
		Mandate  string `json:"mandate_request_mandate,omitempty"`
		Payment  string `json:"payment_request_payment,omitempty"`
	} `json:"links"`
}

type paymentRequest struct {
	Amount      int64             `json:"amount"`
	Currency    string            `json:"currency"`
	Description string            `json:"description"`
	Metadata    map[string]string `json:"metadata"`
}

type mandateRequest struct {
	Currency string `json:"currency"`
}

type flow struct {
	ID          string `json:"id"`
	URL         string `json:"authorisation_url"`
	RedirectURI string `json:"redirect_uri"`
	Links       struct {
		BillingRequest string `json:"billing_request"`
	} `json:"links"`
}

type mandate struct {
	ID     string `json:"id"`
	Status string `json:"status"` // active or cancelled
	Links  struct {
		Account  string `json:"customer_bank_account"`
		Customer string `json:"customer"`
	} `json:"links"`
}

type bankAccount struct {
	ID          string `json:"id"`
	BankName    string `json:"bank_name"`
	Ending      string `json:"account_number_ending"`
	Fingerprint string `json:"fingerprint"`

	behaviour Behaviour
}

type payment struct {
	ID          string            `json:"id"`
	Status      string            `json:"status"`
	Amount      int64             `json:"amount"`
	Refunded    int64             `json:"amount_refunded"`
	Currency    string            `json:"currency"`
	Description string            `json:"description"`
	ChargeDate  string            `json:"charge_date"`
	Metadata    map[string]string `json:"metadata"`
	Links       struct {
		Mandate string `json:"mandate"`
	} `json:"links"`

	customer  string
	createdAt time.Time
	behaviour Behaviour
}

type refund struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"` // pending_submission, paid or bounced
	Amount   int64             `json:"amount"`
	Metadata map[string]string `json:"metadata"`
	Links    struct {
		Payment string `json:"payment"`
	} `json:"links"`

	createdAt time.Time
}

type event struct {
	ID       string            `json:"id"`
	Created  time.Time         `json:"created_at"`
	Resource string            `json:"resource_type"`
	Action   string            `json:"action"`
	Links    map[string]string `json:"links"`
	Details  eventDetails      `json:"details"`
}

type eventDetails struct {
	Cause       string `json:"cause"`
	Description string `json:"description"`
}
