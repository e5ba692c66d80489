package console

import (
	"net/http"
	"time"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
)

// attentionPage is the input of the template.
type attentionPage struct {
	operators.Attention
	OnHold, Overdue []hit
	FailedEmails    []event
}

// showAttention shows the organisations, operations and emails that operators should check.
func (c *Console) showAttention(w http.ResponseWriter, r *http.Request) error {
	attention, err := c.UseCases.ShowAttention.Do(r.Context())
	if err != nil {
		return err
	}
	page := attentionPage{Attention: attention, FailedEmails: newEvents(attention.FailedEmails)}
	for _, org := range attention.OnHold {
		page.OnHold = append(page.OnHold, c.newHit(org))
	}
	for _, org := range attention.Overdue {
		page.Overdue = append(page.Overdue, c.newHit(org))
	}
	return c.respond(w, r, http.StatusOK, "attention", view{Title: "Needs attention", Here: "/console/attention", Data: page})
}

// newEvents describes entries, with their times in UTC.
func newEvents(entries []audit.Entry) (events []event) {
	for _, e := range entries {
		events = append(events, newEvent(e, nil, ""))
	}
	return events
}

// workPage is the input of the template.
type workPage struct {
	operators.Work
	Now time.Time
}

// showWork shows the background work.
func (c *Console) showWork(w http.ResponseWriter, r *http.Request) error {
	work, err := c.UseCases.ShowWork.Do(r.Context())
	if err != nil {
		return err
	}
	page := workPage{Work: work, Now: c.Clock.Now()}
	return c.respond(w, r, http.StatusOK, "work", view{Title: "Background work", Here: "/console/work", Data: page})
}
