package account

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// ErasureDelay is the time between the request for the erasure of an organisation and the erasure, in which each owner can
// withdraw the request.
const ErasureDelay = 14 * 24 * time.Hour

// Erasure is a request to erase an organisation and its members.
type Erasure struct {
	OrganisationID string
	RequestedBy    string // the id of an owner, or the name of an operator
	RequestedAt    time.Time
	DueAt          time.Time
}

// NewErasure returns the request of an owner or operator.
func NewErasure(organisationID, requestedBy string, now time.Time) Erasure {
	return Erasure{OrganisationID: organisationID, RequestedBy: requestedBy, RequestedAt: now, DueAt: now.Add(ErasureDelay)}
}

// CheckErasureConfirmation returns Invalid for the field "confirmation" unless the text is the name of the organisation.
func (o *Organisation) CheckErasureConfirmation(text string) error {
	var fields fault.Fields
	if NameKey(text) != NameKey(o.Name) {
		fields.Add("confirmation", "Please enter the name of your organisation")
	}
	return fields.Err()
}
