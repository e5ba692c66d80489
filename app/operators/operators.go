package operators

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/accounts"
	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/app/emails"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/members"
	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/app/security"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// Ports contains the dependencies of the use cases.
type Ports struct {
	Store storage.Store
	Clock clock.Clock
	Log   *slog.Logger
	// AuditLog contains the use cases of the audit log itself.
	AuditLog auditlog.UseCases
	// EndUserSessions signs a user out everywhere.
	EndUserSessions *security.EndUserSessions
	PublicURL       string        // prefix of the links in emails, without a slash at the end
	Sender          emails.Sender // name and address of the sender of all emails
	// CallerKey is the key of the hashes of codes. Servers on a database must have the same key.
	CallerKey []byte
	// RenewLink and RenewInvitation send a link anew.
	RenewLink       *accounts.RenewLink
	RenewInvitation *members.RenewInvitation
	// Privacy contains the use cases that the operators share with the owners.
	Privacy privacy.UseCases

	Provider     payment.Provider
	Capabilities payment.Capabilities
	Catalogue    *catalogue.Catalogue
	Operations   *operation.Runner
	// Refresh reads an organisation from the provider. If its customer was deleted there, it removes the customer.
	Refresh func(ctx context.Context, organisationID string) (account.Organisation, error)
}

// UseCases contains the use cases of the package.
type UseCases struct {
	FindOrganisations *FindOrganisations
	ViewOrganisation  *ViewOrganisation
	ShowTimeline      *ShowTimeline
	ShowAttention     *ShowAttention
	ShowWork          *ShowWork
	ShowAuditLog      *ShowAuditLog
	ExportEntries     *ExportEntries
	EndSessions       *EndSessions
	ListRefusals      *ListRefusals
	ResendEmail       *ResendEmail
	SendCallerCode    *SendCallerCode
	EnterCallerCode   *EnterCallerCode

	ReadAgain       *ReadAgain
	ExtendTrial     *ExtendTrial
	EndPlan         *EndPlan
	RefundInvoice   *RefundInvoice
	GrantFreeMonth  *GrantFreeMonth
	LiftHold        *LiftHold
	GrantDevLicense *GrantDevLicense
	EndDevLicense   *EndDevLicense

	ShowTransfers   *ShowTransfers
	ListTransfers   *ListTransfers
	ApproveOrders   *ApproveOrders
	RecordTransfer  *RecordTransfer
	ReverseTransfer *ReverseTransfer
	VoidInvoice     *VoidInvoice

	ExportOrganisation     *ExportOrganisation
	EraseOrganisation      *EraseOrganisation
	KeepOrganisation       *KeepOrganisation
	EraseOrganisationAgain *EraseOrganisationAgain
	FindKeptInvoices       *FindKeptInvoices
	ShowErasures           *ShowErasures
}

// New returns the use cases, connected with the ports. It calls no port.
func New(p Ports) UseCases {
	runner := actionRunner{
		store: p.Store, provider: p.Provider, capabilities: p.Capabilities, ops: p.Operations, refresh: p.Refresh, log: p.Log,
	}
	changer := invoiceChanger{store: p.Store, transfers: payment.TransfersOf(p.Provider), refresh: p.Refresh, log: p.Log}
	u := UseCases{
		FindOrganisations: &FindOrganisations{store: p.Store},
		ViewOrganisation:  &ViewOrganisation{store: p.Store},
		ShowTimeline:      &ShowTimeline{store: p.Store},
		ShowAttention:     &ShowAttention{store: p.Store},
		ShowWork:          &ShowWork{store: p.Store},
		ShowAuditLog:      &ShowAuditLog{store: p.Store},
		ExportEntries:     &ExportEntries{export: p.AuditLog.ExportAuditLog},
		EndSessions:       &EndSessions{store: p.Store, end: p.EndUserSessions},
		ResendEmail: &ResendEmail{
			store: p.Store, renewLink: p.RenewLink, renewInvitation: p.RenewInvitation, clock: p.Clock, log: p.Log,
		},
		SendCallerCode: &SendCallerCode{
			store: p.Store, clock: p.Clock, sender: p.Sender, link: p.PublicURL + "/vc-admin/diy", key: p.CallerKey, log: p.Log,
		},
		EnterCallerCode: &EnterCallerCode{store: p.Store, clock: p.Clock, key: p.CallerKey, log: p.Log},

		ReadAgain:       &ReadAgain{runner: runner},
		ExtendTrial:     newExtendTrial(runner),
		EndPlan:         newEndPlan(runner, p.Clock),
		RefundInvoice:   &RefundInvoice{runner: runner},
		GrantFreeMonth:  newGrantFreeMonth(runner, p.Clock),
		LiftHold:        newLiftHold(runner),
		GrantDevLicense: &GrantDevLicense{catalogue: p.Catalogue, store: p.Store},
		EndDevLicense:   &EndDevLicense{store: p.Store},

		ShowTransfers:   &ShowTransfers{store: p.Store, transfers: changer.transfers},
		ListTransfers:   &ListTransfers{changer.transfers},
		ApproveOrders:   &ApproveOrders{changer: changer, store: p.Store},
		RecordTransfer:  &RecordTransfer{changer},
		ReverseTransfer: &ReverseTransfer{changer},
		VoidInvoice:     &VoidInvoice{changer},

		ExportOrganisation:     &ExportOrganisation{export: p.Privacy.ExportData},
		EraseOrganisation:      &EraseOrganisation{request: p.Privacy.RequestErasure},
		KeepOrganisation:       &KeepOrganisation{withdraw: p.Privacy.WithdrawErasure},
		EraseOrganisationAgain: &EraseOrganisationAgain{erase: p.Privacy.CarryOutErasures},
		FindKeptInvoices:       &FindKeptInvoices{store: p.Store},
		ShowErasures:           &ShowErasures{list: p.Privacy.ListErasures},
	}
	u.ListRefusals = newListRefusals(p, u)
	return u
}
