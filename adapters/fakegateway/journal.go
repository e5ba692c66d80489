package fakegateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/gateway"
)

// journal is the file of a Provider. Each line contains the new state of an object. Several processes can use the file: a
// Provider locks it for each request, and first applies the lines of others.
type journal struct {
	file *os.File
	size int64 // of the lines that are applied
	// unsaved contains functions that return the states of the objects that have changed.
	unsaved []func() journalLine
}

// journalLine contains the state of one object.
type journalLine struct {
	LastRefNumber int           `json:"last_ref_number,omitempty"`
	Customer      *customerLine `json:"customer,omitempty"`
	Account       *accountLine  `json:"account,omitempty"`
	Payment       *paymentLine  `json:"payment,omitempty"`
	Request       *requestLine  `json:"request,omitempty"`
	Change        string        `json:"change,omitempty"` // the reference of a changed payment
}

type customerLine struct{ ID, Ref string }

type accountLine struct {
	Number                   int
	Behaviour                Behaviour
	Details                  billing.PaymentMethod
	Token, Ref               string
	IsDeleted                bool
	HasPaid, IsAuthenticated bool
}

type paymentLine struct {
	gateway.Payment
	CustomerRef, ReturnTo string
	Account               int // its number; 0 for none
	SettlesAt             time.Time
	Refunds               []refundLine
	Disputes              []gateway.Dispute
}

type refundLine struct {
	gateway.Refund
	SettlesAt time.Time
}

// requestLine is a keyRecord. Order or Refund is set.
type requestLine struct {
	Key        string
	Order      *gateway.Order       `json:",omitempty"`
	Refund     *gateway.RefundOrder `json:",omitempty"`
	CreatedAt  time.Time
	PaymentRef string
}

// openJournal opens the file, which need not exist.
func openJournal(path string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	return &journal{file: file}, nil
}

// Close closes the file of the provider.
func (p *Provider) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.journal == nil {
		return nil
	}
	return p.journal.file.Close()
}

// lockJournal waits until no other process uses the file, and applies the changes of other processes.
func (p *Provider) lockJournal() error {
	if p.journal == nil {
		return nil
	}
	if err := lockFile(p.journal.file); err != nil {
		return err
	}
	return p.load()
}

// unlockJournal saves the changes, or discards them if that fails.
func (p *Provider) unlockJournal() {
	if p.journal != nil {
		_ = errors.Join(p.save(), unlockFile(p.journal.file))
	}
}

// stage adds a changed object to the lines that save appends. It calls line in save.
func (p *Provider) stage(line func() journalLine) {
	if p.journal != nil {
		p.journal.unsaved = append(p.journal.unsaved, line)
	}
}

func (p *Provider) stageAccount(a *account) {
	p.stage(func() journalLine {
		return journalLine{LastRefNumber: p.lastRefNumber, Account: &accountLine{
			Number: a.number, Behaviour: a.behaviour, Details: a.details, Token: a.token, Ref: a.ref,
			IsDeleted: a.ref != "" && p.methods[a.ref] == nil, HasPaid: a.hasPaid, IsAuthenticated: a.isAuthenticated,
		}}
	})
}

func (p *Provider) stagePayment(sp *storedPayment) {
	if sp.account != nil {
		p.stageAccount(sp.account)
	}
	p.stage(func() journalLine {
		line := &paymentLine{Payment: sp.Payment, CustomerRef: sp.customerRef, ReturnTo: sp.returnTo, SettlesAt: sp.settlesAt, Disputes: sp.disputes}
		if sp.account != nil {
			line.Account = sp.account.number
		}
		for _, r := range sp.refunds {
			line.Refunds = append(line.Refunds, refundLine{r.Refund, r.settlesAt})
		}
		return journalLine{LastRefNumber: p.lastRefNumber, Payment: line}
	})
}

func (p *Provider) stageRequest(key string, r keyRecord) {
	line := &requestLine{Key: key, CreatedAt: r.createdAt, PaymentRef: r.payment.Ref}
	switch request := r.request.(type) {
	case gateway.Order:
		line.Order = &request
	case gateway.RefundOrder:
		line.Refund = &request
	}
	p.stage(func() journalLine { return journalLine{Request: line} })
}

// save appends the changed objects to the file. If it fails, it discards all changes that are not in the file, and returns
// Unavailable. A later attempt could use references that another process has used since.
func (p *Provider) save() error {
	if p.journal == nil || len(p.journal.unsaved) == 0 {
		return nil
	}
	var text []byte
	for _, line := range p.journal.unsaved {
		encoded, err := json.Marshal(line())
		if err != nil {
			panic(err) // the types of the lines can always be encoded
		}
		text = append(append(text, encoded...), '\n')
	}
	written, err := p.journal.file.Write(text)
	if err != nil && written > 0 {
		err = errors.Join(err, p.journal.file.Truncate(p.journal.size)) // the next line would be appended to an incomplete one
	}
	p.journal.unsaved = nil
	if err != nil {
		p.state, p.journal.size = newState(), 0 // the next lockJournal applies all lines of the file
		return fault.Wrap(err, fault.Unavailable, "The payment provider can't store its state.")
	}
	p.journal.size += int64(len(text))
	return nil
}

// load applies the lines of the file that are not applied yet. It removes an incomplete last line, which a killed process
// has left.
func (p *Provider) load() error {
	text, err := io.ReadAll(io.NewSectionReader(p.journal.file, p.journal.size, 1<<62))
	if err != nil {
		return err
	}
	for {
		encoded, rest, isComplete := bytes.Cut(text, []byte("\n"))
		switch {
		case !isComplete && len(text) > 0:
			return p.journal.file.Truncate(p.journal.size)
		case !isComplete:
			return nil
		}
		var line journalLine
		if err := json.Unmarshal(encoded, &line); err != nil {
			return fmt.Errorf("%s contains a line that can't be read: %w", p.journal.file.Name(), err)
		}
		p.apply(line)
		p.journal.size, text = p.journal.size+int64(len(encoded))+1, rest
	}
}

// apply sets the object in the line.
func (p *Provider) apply(line journalLine) {
	p.lastRefNumber = max(p.lastRefNumber, line.LastRefNumber)
	switch {
	case line.Customer != nil:
		p.customers[line.Customer.ID] = line.Customer.Ref
	case line.Account != nil:
		p.applyAccount(*line.Account)
	case line.Payment != nil:
		p.applyPayment(*line.Payment)
	case line.Request != nil:
		p.applyRequest(*line.Request)
	case line.Change != "":
		p.changes = append(p.changes, line.Change)
	}
}

func (p *Provider) applyAccount(line accountLine) {
	for len(p.accounts) < line.Number {
		p.accounts = append(p.accounts, &account{})
	}
	a := p.accounts[line.Number-1]
	delete(p.tokens, a.token)
	delete(p.methods, a.ref)
	*a = account{
		number: line.Number, behaviour: line.Behaviour, details: line.Details, token: line.Token,
		ref: line.Ref, hasPaid: line.HasPaid, isAuthenticated: line.IsAuthenticated,
	}
	if a.token != "" {
		p.tokens[a.token] = a
	}
	if a.ref != "" && !line.IsDeleted {
		p.methods[a.ref] = a
	}
}

func (p *Provider) applyPayment(line paymentLine) {
	sp, err := p.find(gateway.Reference{Ref: line.Ref})
	if err != nil {
		sp = &storedPayment{}
		p.payments = append(p.payments, sp)
	}
	*sp = storedPayment{
		Payment: line.Payment, customerRef: line.CustomerRef, returnTo: line.ReturnTo, settlesAt: line.SettlesAt,
		disputes: line.Disputes,
	}
	if line.Account != 0 {
		sp.account = p.accounts[line.Account-1]
	}
	for _, r := range line.Refunds {
		sp.refunds = append(sp.refunds, &storedRefund{r.Refund, r.SettlesAt})
	}
}

func (p *Provider) applyRequest(line requestLine) {
	record := keyRecord{createdAt: line.CreatedAt}
	if line.Order != nil {
		record.request = *line.Order
	} else {
		record.request = *line.Refund
	}
	record.payment, _ = p.find(gateway.Reference{Ref: line.PaymentRef}) // its line comes first
	p.keys[line.Key] = record
}
