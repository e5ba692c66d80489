package operators

import (
	"context"
	"maps"
	"slices"

	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// Role is a role of an operator.
type Role string

// The roles.
const (
	Support  Role = "support"
	Finance  Role = "finance"
	Engineer Role = "engineer"
	Privacy  Role = "privacy"
	Auditor  Role = "auditor"
)

// Roles returns all roles.
func Roles() []Role { return []Role{Support, Finance, Engineer, Privacy, Auditor} }

// Operator is a person who runs the product.
type Operator struct {
	Name  string // as in the audit log
	Roles []Role
}

// CommandLine returns the operator who runs a command on the server, with all roles. A person who can start the binary
// with the settings of the server can also change the database.
func CommandLine(name string) Operator { return Operator{Name: name, Roles: Roles()} }

// May reports whether a role of the operator has the permission.
func (o Operator) May(p Permission) bool {
	return o.Name != "" && slices.ContainsFunc(p.Roles(), func(r Role) bool { return slices.Contains(o.Roles, r) })
}

// Permission is a right that a use case requires of the operator.
type Permission string

// The permissions.
const (
	MayOpenConsole      Permission = "open the console"
	MaySearch           Permission = "search"
	MayViewOrganisation Permission = "view an organisation"
	MayViewAttention    Permission = "view what needs attention"
	MayViewAuditLog     Permission = "view the audit log"
	MayExportAuditLog   Permission = "export the audit log"
	MayViewWork         Permission = "view the background work"
	MayEndSessions      Permission = "end sessions"
	MayExportData       Permission = "export the data of an organisation"
	MayErase            Permission = "erase an organisation"
	MayViewKeptInvoices Permission = "view the invoices of erased organisations"

	MayResendEmails      Permission = "send links anew and emails again"
	MayVerifyCallers     Permission = "verify callers"
	MayReadAgain         Permission = "read an organisation from the payment provider again"
	MayExtendTrial       Permission = "extend a trial"
	MayEndPlan           Permission = "end a plan"
	MayRefund            Permission = "refund a payment"
	MayGrantFreeMonth    Permission = "grant a free month"
	MayLiftHold          Permission = "lift a hold"
	MayManageDevLicenses Permission = "grant and end developer licenses"
	MayViewTransfers     Permission = "view orders and transfers"
	MayChangeInvoices    Permission = "record transfers, approve orders and void invoices"
)

// permissions contains the roles that have each permission.
var permissions = map[Permission][]Role{
	MayOpenConsole:      {Support, Finance, Engineer, Privacy, Auditor},
	MaySearch:           {Support, Finance, Engineer, Privacy},
	MayViewOrganisation: {Support, Finance, Engineer, Privacy},
	MayViewAttention:    {Support, Finance, Engineer},
	MayViewAuditLog:     {Engineer, Privacy, Auditor},
	MayExportAuditLog:   {Privacy, Auditor},
	MayViewWork:         {Support, Engineer},
	MayEndSessions:      {Support},
	MayExportData:       {Privacy},
	MayErase:            {Privacy},
	MayViewKeptInvoices: {Finance, Privacy},

	MayResendEmails:      {Support},
	MayVerifyCallers:     {Support},
	MayReadAgain:         {Support},
	MayExtendTrial:       {Support},
	MayEndPlan:           {Support},
	MayRefund:            {Finance},
	MayGrantFreeMonth:    {Finance},
	MayLiftHold:          {Finance},
	MayManageDevLicenses: {Finance},
	MayViewTransfers:     {Finance},
	MayChangeInvoices:    {Finance},
}

// Permissions returns all permissions in the order of their names.
func Permissions() []Permission { return slices.Sorted(maps.Keys(permissions)) }

// Roles returns the roles that have the permission.
func (p Permission) Roles() []Role { return slices.Clone(permissions[p]) }

type operatorKey struct{}

// WithOperator returns a context of a request of the operator, who is also the actor of its entries in the audit log.
func WithOperator(ctx context.Context, o Operator) context.Context {
	return audit.WithActor(context.WithValue(ctx, operatorKey{}, o), audit.Operator(o.Name))
}

// FromContext returns the operator of the context, or an Operator without a name and roles.
func FromContext(ctx context.Context) Operator {
	operator, _ := ctx.Value(operatorKey{}).(Operator)
	return operator
}

// Require returns a Forbidden fault unless the operator of the context has the permission. Every use case of this package
// calls it first.
func Require(ctx context.Context, p Permission) error {
	if !FromContext(ctx).May(p) {
		return fault.Newf(fault.Forbidden, "You have no role that may %s.", p)
	}
	return nil
}
