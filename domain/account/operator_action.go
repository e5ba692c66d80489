package account

import "time"

// OperatorAction is an entry of the audit log: what an operator did to an organisation, and why.
type OperatorAction struct {
	ID             string
	OrganisationID string
	At             time.Time
	Operator       string
	Kind           ActionKind
	Reason         string
}

// ActionKind is the kind of an operator's action.
type ActionKind string

// LiftedHold is the end of a hold. It is recorded before the hold is lifted.
const LiftedHold ActionKind = "lifted_hold"
