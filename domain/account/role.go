package account

import "github.com/vc-admin/diy/domain/fault"

// Role is what a member may do in an organisation. The zero Role allows nothing.
type Role string

// The roles of members.
const (
	Owner         Role = "owner"   // everything
	BillingMember Role = "billing" // plan and payments; receives emails about billing
	ReadingMember Role = "member"  // reads, and downloads invoices
)

// Permission is what a request does in an organisation.
type Permission int

// The permissions, each of which includes those before it.
const (
	// Read allows reading what belongs to the organisation, and downloading invoices.
	Read Permission = iota + 1
	// ManageBilling allows changes of the plan, payments, cards and billing details.
	ManageBilling
	// ManageMembers allows inviting and removing members and changing their roles.
	ManageMembers
)

// permissionOfRole contains the highest permission of each role.
var permissionOfRole = map[Role]Permission{Owner: ManageMembers, BillingMember: ManageBilling, ReadingMember: Read}

// IsValid reports whether the role is one of the roles of members.
func (r Role) IsValid() bool { return permissionOfRole[r] != 0 }

// Allows reports whether the role has the permission.
func (r Role) Allows(p Permission) bool { return p > 0 && permissionOfRole[r] >= p }

// Require returns a Forbidden fault unless the role has the permission.
func (r Role) Require(p Permission) error {
	switch {
	case r.Allows(p):
		return nil
	case p == ManageMembers:
		return fault.New(fault.Forbidden, "Only an owner can do this.")
	default:
		return fault.New(fault.Forbidden, "Your role does not allow this. Please ask an owner.")
	}
}

// ReceivesBillingEmails reports whether members with the role receive emails about billing.
func (r Role) ReceivesBillingEmails() bool { return r.Allows(ManageBilling) }
