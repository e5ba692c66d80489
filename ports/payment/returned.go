package payment

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
)

// ReportSpentCredit logs an error if the customer of the organisation had spent credit of a returned payment
// before it could be withdrawn. Only an operator can recover it.
func ReportSpentCredit(ctx context.Context, log *slog.Logger, organisationID string, p billing.ReturnedPayment) {
	if p.Spent.Minor() > 0 {
		log.ErrorContext(ctx, "credit of a returned payment was spent already", "org", organisationID, "payment", p.Payment,
			"returned", p.Amount.String(), "withdrawn", p.Withdrawn.String(), "spent", p.Spent.String())
	}
}
