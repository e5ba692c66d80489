package httpapi_test

import "time"

// The types below contain the fields of responses that several tests read.

type userDetail struct {
	Now                                   int64
	ID, OrgID, FirstName, LastName, Email string
	License, PastLicense                  *licenseDetail
	OpenPayment                           *openPayment
	Processing                            *processingPayment
	TrialUsed                             bool
	Trials                                map[string]struct {
		Days   int
		EndsAt time.Time
	}
	Next          *nextAction
	MethodRefusal *string
}

type licenseDetail struct {
	ID       string
	Interval string
	Currency string
	IsDev    bool
	Price    *struct{ Amount, PerMonth, Annual int64 }
	Raw      struct {
		Status           string
		CurrentPeriodEnd int64 `json:"current_period_end"`
		TrialEnd         int64 `json:"trial_end"`
		Metadata         struct{ Name, Interval string }
	}
	PendingChange   *pendingChange   `json:"pending_change"`
	ScheduledChange *scheduledChange `json:"scheduled_change"`
}

type scheduledChange struct {
	PriceID string
	Amount  int64
	At      time.Time
}

type pendingChange struct {
	PriceID   string
	InvoiceID string
	Amount    int64
	Currency  string
	ExpiresAt time.Time `json:"expires_at"`
	Replaces  *scheduledChange
}

type openPayment struct {
	Kind, SubscriptionID, InvoiceID, Currency, PriceID, Reason, FailedMethodID string

	Amount                                    int64
	Approval                                  bool
	Since, NextAttemptAt, ExpiresAt, FailedAt *time.Time
}

type processingPayment struct {
	Kind, InvoiceID, Currency, PriceID string

	Amount     int64
	Method     *struct{ Kind, Label string }
	ExpectedBy *time.Time
}

type subscription struct {
	ID            string
	Status        string
	LatestInvoice *struct {
		ID            string
		PaymentIntent *intent `json:"payment_intent"`
	} `json:"latest_invoice"`
	PendingSetupIntent *intent        `json:"pending_setup_intent"`
	PriceID            string         `json:"priceId"`
	PendingChange      *pendingChange `json:"pending_change"`
	Outcome            string
	Next               *nextAction
	ChargedDiffers     *struct{ Quoted, Charged moneyAmount } `json:"charged_differs"`
}

type nextAction struct {
	Kind, Secret, Invoice, Reason string
	Instructions                  []struct{ Label, Value string }
	ReportedAt                    *time.Time
	RemindersPausedUntil          *time.Time
}

type intent struct {
	ID, Status   string
	ClientSecret string `json:"client_secret"`
}

type cardList struct {
	Data []struct {
		ID   string
		Card struct {
			Brand, Last4 string
			ExpMonth     int `json:"exp_month"`
			ExpYear      int `json:"exp_year"`
		}
	}
}

type customerDetail struct {
	ID              string
	Currency        *string
	Metadata        struct{ Currency string }
	InvoiceSettings struct {
		DefaultPaymentMethod any `json:"default_payment_method"`
	} `json:"invoice_settings"`
}
