package sqlstorage

import "github.com/vc-admin/diy/domain/billing"

var operations = tableOf[operationRow]("operations")

// operationRow is something we ask of the payment provider.
type operationRow struct {
	Key            string  `db:"key"`
	OrganisationID string  `db:"organisation_id"`
	Lane           string  `db:"lane"`
	Fingerprint    string  `db:"fingerprint"`
	CreatedAt      instant `db:"created_at"`
	SettledAt      instant `db:"settled_at"`
	Result         string  `db:"result"`
}

// pendingRowOf is an operation that begins: nothing has become of it yet.
func pendingRowOf(o billing.Operation) operationRow {
	return operationRow{
		Key: o.Key, OrganisationID: o.OrganisationID, Lane: string(o.Lane),
		Fingerprint: o.Fingerprint, CreatedAt: at(o.CreatedAt),
	}
}

func (r operationRow) operation() billing.Operation {
	return billing.Operation{
		Key: r.Key, OrganisationID: r.OrganisationID, Lane: billing.Lane(r.Lane),
		Fingerprint: r.Fingerprint, CreatedAt: r.CreatedAt.t, SettledAt: r.SettledAt.t, Result: r.Result,
	}
}
