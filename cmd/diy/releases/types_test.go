package releases

// invoiceCustomerPrefix begins the ids of the customers of invoicepayment.
const invoiceCustomerPrefix = "icus_"

// storedTypes contains the places where databases store the values of a type, see storedValues.
var storedTypes = map[string]string{
	"account.AuthenticatorKind": "authenticators.kind",
	"account.Role":              "memberships.role",
	"audit.ActorKind":           "audit.actor_kind",
	"audit.Class":               "audit.class",
	"audit.Kind":                "audit.kind",
	"audit.Outcome":             "audit.outcome",
	"audit.Reason":              "audit.data/reason operations.entry/reason",
	"billing.ActionKind":        "operations.actions/kind",
	"billing.DisputeStatus":     "invoices.document/Dispute",
	"billing.EndReason":         "end_feedback.reason",
	"billing.Hold":              "subscriptions.hold",
	"billing.IntentStatus":      "subscriptions.document/Status",
	"billing.InvoiceStatus":     "invoices.document/Status",
	"billing.MethodKind":        "invoices.document/Kind",
	"billing.NextActionKind":    "subscriptions.document/Kind",
	"billing.NoticeKind":        "notices.kind",
	"billing.OperationKind":     "operations.kind",
	"billing.ReturnKind":        "invoices.document/Kind",
	"billing.Status":            "subscriptions.status",
	"catalogue.Interval":        "subscriptions.document/Interval",
	"engine.AttemptState":       "gateway_attempts.document/state",
	"engine.StopRequest":        "gateway_subscriptions.document/stop_request",
	"storage.EmailKind":         "email_requests.kind",
	"storage.EventOutcome":      "events.outcome",
	"storage.TermKind":          "search_terms.kind",
}

// computedTypes are not stored: their values are computed, or are those of a request or of a response.
var computedTypes = []string{
	"account.SecondFactor", "account.verdict", "billing.ChangeTiming", "billing.EndCause", "billing.EndKind", "billing.MovementKind",
	"billing.OpenPaymentKind", "billing.Outcome", "billing.PlanObstacleKind", "engine.Decline", "fault.Code",
}

// unreleased has the columns and values that were added after the newest dump, with the version that will have them.
var unreleased = map[string]string{}
