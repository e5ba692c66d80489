package console

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/vc-admin/diy/app/auditlog"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// auditPageSize is the number of entries on a page of the audit log.
const auditPageSize = 100

// auditPage is the input of the template.
type auditPage struct {
	Operator, Organisation, Month, Request string // the filter
	Entries                                []event
	Next                                   string // the path of the next page; "" for none
	Exports                                []exportLink
}

type exportLink struct{ Format, Path string }

const monthLayout = "2006-01"

// auditQuery returns the query of a filter. Without a filter, it is that of the current month.
func (c *Console) auditQuery(form url.Values) (query storage.AuditQuery, month string, err error) {
	query = storage.AuditQuery{
		Actor: form.Get("operator"), OrganisationID: form.Get("organisation"), RequestID: form.Get("request"),
	}
	query.AfterID, _ = strconv.ParseInt(form.Get("after"), 10, 64) // 0 for anything else
	month = form.Get("month")
	if month == "" && query == (storage.AuditQuery{AfterID: query.AfterID}) {
		month = c.Clock.Now().UTC().Format(monthLayout)
	}
	if month != "" {
		from, err := time.Parse(monthLayout, month)
		if err != nil {
			return query, month, fault.New(fault.Invalid, "Enter the month as 2026-11.")
		}
		query.From, query.Before = from, from.AddDate(0, 1, 0)
	}
	return query, month, nil
}

// showAuditLog shows the entries of a filter, oldest first.
func (c *Console) showAuditLog(w http.ResponseWriter, r *http.Request) error {
	form := r.URL.Query()
	query, month, err := c.auditQuery(form)
	if err != nil {
		return err
	}
	query.Limit = auditPageSize
	if query.OrganisationID != "" {
		if err := c.countView(r.Context(), query.OrganisationID); err != nil {
			return err
		}
	}
	entries, err := c.UseCases.ShowAuditLog.Do(r.Context(), query)
	if err != nil {
		return err
	}
	page := auditPage{Operator: query.Actor, Organisation: query.OrganisationID, Month: month, Request: query.RequestID}
	page.Entries = newEvents(entries)
	filter := url.Values{}
	for name, value := range map[string]string{
		"operator": query.Actor, "organisation": query.OrganisationID, "request": query.RequestID, "month": month,
	} {
		if value != "" {
			filter.Set(name, value)
		}
	}
	for _, format := range []string{"csv", "json", "ndjson"} {
		filter.Set("format", format)
		page.Exports = append(page.Exports, exportLink{format, "/console/audit/export?" + filter.Encode()})
	}
	filter.Del("format")
	if len(entries) == auditPageSize {
		filter.Set("after", strconv.FormatInt(entries[len(entries)-1].ID, 10))
		page.Next = "/console/audit?" + filter.Encode()
	}
	return c.respond(w, r, http.StatusOK, "audit", view{Title: "Audit log", Here: "/console/audit", Data: page})
}

// contentTypes contains the media types of exports.
var contentTypes = map[string]string{
	"csv": "text/csv; charset=utf-8", "json": "application/json", "ndjson": "application/x-ndjson",
}

// exportAuditLog sends the entries of a filter as a file.
func (c *Console) exportAuditLog(w http.ResponseWriter, r *http.Request) error {
	format := r.URL.Query().Get("format")
	newWriter, ok := auditlog.Formats[format]
	if !ok {
		return fault.New(fault.Invalid, "The formats are csv, json and ndjson.")
	}
	query, _, err := c.auditQuery(r.URL.Query())
	if err != nil {
		return err
	}
	query.AfterID = 0
	var write func(audit.Entry) error
	var end func() error
	start := func() {
		w.Header().Set("Content-Type", contentTypes[format])
		w.Header().Set("Content-Disposition", `attachment; filename="audit.`+format+`"`)
		write, end = newWriter(w)
	}
	err = c.UseCases.ExportEntries.Do(r.Context(), query, format, func(e audit.Entry) error {
		if write == nil {
			start()
		}
		return write(e)
	})
	switch {
	case err != nil && write == nil:
		return err
	case err != nil:
		panic(http.ErrAbortHandler) // the file is incomplete, so the browser must not store it
	case write == nil:
		start()
	}
	return end()
}
