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
	IsForgotten              bool
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
func (f *Provider) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.journal == nil {
		return nil
	}
	return f.journal.file.Close()
}

// lockJournal waits until no other process uses the file, and applies the changes of other processes.
func (f *Provider) lockJournal() error {
	if f.journal == nil {
		return nil
	}
	if err := lockFile(f.journal.file); err != nil {
		return err
	}
	return f.load()
}

// unlockJournal saves the changes, or discards them if that fails.
func (f *Provider) unlockJournal() {
	if f.journal != nil {
		_ = errors.Join(f.save(), unlockFile(f.journal.file))
	}
}

// stage adds a changed object to the lines that save appends. It calls line in save.
func (f *Provider) stage(line func() journalLine) {
	if f.journal != nil {
		f.journal.unsaved = append(f.journal.unsaved, line)
	}
}

func (f *Provider) stageAccount(a *account) {
	f.stage(func() journalLine {
		return journalLine{LastRefNumber: f.lastRefNumber, Account: &accountLine{
			Number: a.number, Behaviour: a.behaviour, Details: a.details, Token: a.token, Ref: a.ref,
			IsForgotten: a.ref != "" && f.methods[a.ref] == nil, HasPaid: a.hasPaid, IsAuthenticated: a.isAuthenticated,
		}}
	})
}

func (f *Provider) stagePayment(p *storedPayment) {
	if p.account != nil {
		f.stageAccount(p.account)
	}
	f.stage(func() journalLine {
		line := &paymentLine{Payment: p.Payment, CustomerRef: p.customerRef, ReturnTo: p.returnTo, SettlesAt: p.settlesAt, Disputes: p.disputes}
		if p.account != nil {
			line.Account = p.account.number
		}
		for _, r := range p.refunds {
			line.Refunds = append(line.Refunds, refundLine{r.Refund, r.settlesAt})
		}
		return journalLine{LastRefNumber: f.lastRefNumber, Payment: line}
	})
}

func (f *Provider) stageRequest(key string, r keyRecord) {
	line := &requestLine{Key: key, CreatedAt: r.createdAt, PaymentRef: r.payment.Ref}
	switch request := r.request.(type) {
	case gateway.Order:
		line.Order = &request
	case gateway.RefundOrder:
		line.Refund = &request
	}
	f.stage(func() journalLine { return journalLine{Request: line} })
}

// save appends the changed objects to the file. If it fails, it discards all changes that are not in the file, and returns
// Unavailable. A later attempt could use references that another process has used since.
func (f *Provider) save() error {
	if f.journal == nil || len(f.journal.unsaved) == 0 {
		return nil
	}
	var text []byte
	for _, line := range f.journal.unsaved {
		encoded, err := json.Marshal(line())
		if err != nil {
			panic(err) // the types of the lines can always be encoded
		}
		text = append(append(text, encoded...), '\n')
	}
	written, err := f.journal.file.Write(text)
	if err != nil && written > 0 {
		err = errors.Join(err, f.journal.file.Truncate(f.journal.size)) // an incomplete line would spoil the next one
	}
	f.journal.unsaved = nil
	if err != nil {
		f.state, f.journal.size = newState(), 0 // the next lockJournal applies all lines of the file
		return fault.Wrap(err, fault.Unavailable, "The payment provider can't store its state.")
	}
	f.journal.size += int64(len(text))
	return nil
}

// load applies the lines that follow those that are applied. It removes an incomplete last line, which a killed process has left.
func (f *Provider) load() error {
	text, err := io.ReadAll(io.NewSectionReader(f.journal.file, f.journal.size, 1<<62))
	if err != nil {
		return err
	}
	for {
		encoded, rest, isComplete := bytes.Cut(text, []byte("\n"))
		switch {
		case !isComplete && len(text) > 0:
			return f.journal.file.Truncate(f.journal.size)
		case !isComplete:
			return nil
		}
		var line journalLine
		if err := json.Unmarshal(encoded, &line); err != nil {
			return fmt.Errorf("%s contains a line that can't be read: %w", f.journal.file.Name(), err)
		}
		f.apply(line)
		f.journal.size, text = f.journal.size+int64(len(encoded))+1, rest
	}
}

// apply sets the object in the line.
func (f *Provider) apply(line journalLine) {
	f.lastRefNumber = max(f.lastRefNumber, line.LastRefNumber)
	switch {
	case line.Customer != nil:
		f.customers[line.Customer.ID] = line.Customer.Ref
	case line.Account != nil:
		f.applyAccount(*line.Account)
	case line.Payment != nil:
		f.applyPayment(*line.Payment)
	case line.Request != nil:
		f.applyRequest(*line.Request)
	case line.Change != "":
		f.changes = append(f.changes, line.Change)
	}
}

func (f *Provider) applyAccount(line accountLine) {
	for len(f.accounts) < line.Number {
		f.accounts = append(f.accounts, &account{})
	}
	a := f.accounts[line.Number-1]
	delete(f.tokens, a.token)
	delete(f.methods, a.ref)
	*a = account{
		number: line.Number, behaviour: line.Behaviour, details: line.Details, token: line.Token,
		ref: line.Ref, hasPaid: line.HasPaid, isAuthenticated: line.IsAuthenticated,
	}
	if a.token != "" {
		f.tokens[a.token] = a
	}
	if a.ref != "" && !line.IsForgotten {
		f.methods[a.ref] = a
	}
}

func (f *Provider) applyPayment(line paymentLine) {
	p, err := f.find(gateway.Reference{Ref: line.Ref})
	if err != nil {
		p = &storedPayment{}
		f.payments = append(f.payments, p)
	}
	*p = storedPayment{
		Payment: line.Payment, customerRef: line.CustomerRef, returnTo: line.ReturnTo, settlesAt: line.SettlesAt,
		disputes: line.Disputes,
	}
	if line.Account != 0 {
		p.account = f.accounts[line.Account-1]
	}
	for _, r := range line.Refunds {
		p.refunds = append(p.refunds, &storedRefund{r.Refund, r.SettlesAt})
	}
}

func (f *Provider) applyRequest(line requestLine) {
	record := keyRecord{createdAt: line.CreatedAt}
	if line.Order != nil {
		record.request = *line.Order
	} else {
		record.request = *line.Refund
	}
	record.payment, _ = f.find(gateway.Reference{Ref: line.PaymentRef}) // its line comes first
	f.keys[line.Key] = record
}
