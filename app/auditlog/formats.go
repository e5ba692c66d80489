package auditlog

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/vc-admin/diy/domain/audit"
)

// Formats contains the formats of exports by their names. Each returns a function that writes an entry, and one that ends
// the export.
var Formats = map[string]func(io.Writer) (write func(audit.Entry) error, end func() error){
	"csv": writeCSV, "json": writeJSON, "ndjson": writeNDJSON,
}

func writeCSV(w io.Writer) (write func(audit.Entry) error, end func() error) {
	rows := csv.NewWriter(w)
	_ = rows.Write([]string{ // end reports the error
		"id", "at", "organisation", "actor_kind", "actor", "kind", "subject", "outcome", "data", "cause", "request", "note",
	})
	write = func(e audit.Entry) error {
		data := ""
		if len(e.Data) > 0 {
			text, err := json.Marshal(e.Data)
			if err != nil {
				return err
			}
			data = string(text)
		}
		return rows.Write([]string{
			strconv.FormatInt(e.ID, 10), e.At.Format(time.RFC3339Nano), e.OrganisationID, string(e.Actor.Kind), e.Actor.ID, string(e.Kind), e.Subject,
			string(e.Outcome), data, e.Cause, e.RequestID, e.Note,
		})
	}
	return write, func() error {
		rows.Flush()
		return rows.Error()
	}
}

// record is an entry in an export as JSON.
type record struct {
	ID           int64      `json:"id"`
	At           time.Time  `json:"at"`
	Organisation string     `json:"organisation,omitempty"`
	ActorKind    string     `json:"actor_kind"`
	Actor        string     `json:"actor,omitempty"`
	Kind         string     `json:"kind"`
	Subject      string     `json:"subject,omitempty"`
	Outcome      string     `json:"outcome"`
	Data         audit.Data `json:"data,omitempty"`
	Cause        string     `json:"cause,omitempty"`
	Request      string     `json:"request,omitempty"`
	Note         string     `json:"note,omitempty"`
}

func newRecord(e audit.Entry) record {
	return record{
		ID: e.ID, At: e.At, Organisation: e.OrganisationID, ActorKind: string(e.Actor.Kind), Actor: e.Actor.ID, Kind: string(e.Kind),
		Subject: e.Subject, Outcome: string(e.Outcome), Data: e.Data, Cause: e.Cause, Request: e.RequestID, Note: e.Note,
	}
}

// writeJSON writes an array with a line for each entry.
func writeJSON(w io.Writer) (write func(audit.Entry) error, end func() error) {
	separator := "[\n"
	write = func(e audit.Entry) error {
		text, err := json.Marshal(newRecord(e))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s%s", separator, text)
		separator = ",\n"
		return err
	}
	return write, func() error {
		ending := "\n]\n"
		if separator == "[\n" { // no entry was written
			ending = "[]\n"
		}
		_, err := fmt.Fprint(w, ending)
		return err
	}
}

// ecsOutcomes are the values of event.outcome in the Elastic Common Schema.
var ecsOutcomes = map[audit.Outcome]string{
	audit.Done: "success", audit.Refused: "failure", audit.Failed: "failure", audit.Unknown: "unknown",
}

func writeNDJSON(w io.Writer) (write func(audit.Entry) error, end func() error) {
	lines := json.NewEncoder(w)
	write = func(e audit.Entry) error {
		line := map[string]any{
			"@timestamp": e.At, "event.id": strconv.FormatInt(e.ID, 10), "event.action": e.Kind, "event.outcome": ecsOutcomes[e.Outcome],
			"diy.actor.kind": e.Actor.Kind,
		}
		if e.Data != nil {
			line["diy.data"] = e.Data
		}
		actorField := "diy.actor.id"
		if e.Actor.Kind == audit.UserActor {
			actorField = "user.id"
		}
		for name, value := range map[string]string{
			actorField: e.Actor.ID, "organization.id": e.OrganisationID, "trace.id": e.RequestID, "diy.subject": e.Subject,
			"diy.cause": e.Cause, "diy.note": e.Note,
		} {
			if value != "" {
				line[name] = value
			}
		}
		return lines.Encode(line)
	}
	return write, func() error { return nil }
}
