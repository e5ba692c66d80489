package account

import (
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// OperatorAction is an entry of the audit log: what an operator did to an organisation, and why.
type OperatorAction struct {
	ID             string
	OrganisationID string
	At             time.Time
	Operator       string
	Kind           OperatorActionKind
	Reason         string
}

// Normalise returns the action without spaces around the operator and the reason, or Invalid if one of them is missing.
func (a OperatorAction) Normalise() (OperatorAction, error) {
	a.Operator, a.Reason = strings.TrimSpace(a.Operator), strings.TrimSpace(a.Reason)
	if a.Operator == "" || a.Reason == "" {
		return OperatorAction{}, fault.New(fault.Invalid, "The operator and the reason must be given.")
	}
	return a, nil
}

// OperatorActionKind is the kind of an operator's action.
type OperatorActionKind string

// HoldLiftAction is the kind of an action that lifts a hold. The action is recorded before the hold is lifted.
const HoldLiftAction OperatorActionKind = "lifted_hold"

// The kinds of actions for a user. They are recorded before they are made.
const (
	EndSessionsAction    OperatorActionKind = "ended_sessions"
	ResetTwoStepAction   OperatorActionKind = "reset_two_step"
	RemovePasskeysAction OperatorActionKind = "removed_passkeys"
)
