package console

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const privacyPath = "/console/privacy"

// privacyPage is the input of the template.
type privacyPage struct {
	MayErase bool                       // the operator sees the requested erasures
	Erasures []operators.PendingErasure // in the order of their organisations
	Number   string                     // of the kept invoice that was looked for; "" for none
	Kept     []storage.KeptInvoice
}

// showPrivacy shows the requested erasures, and the kept invoices with a number.
func (c *Console) showPrivacy(w http.ResponseWriter, r *http.Request) (err error) {
	page := privacyPage{
		Number:   strings.TrimSpace(r.URL.Query().Get("number")),
		MayErase: operators.FromContext(r.Context()).May(operators.MayErase),
	}
	if page.MayErase {
		if page.Erasures, err = c.UseCases.ShowErasures.Do(r.Context()); err != nil {
			return err
		}
	}
	if page.Number != "" {
		if page.Kept, err = c.UseCases.FindKeptInvoices.Do(r.Context(), page.Number); err != nil {
			return err
		}
	}
	return c.respond(w, r, http.StatusOK, "privacy", view{Title: "Privacy", Here: privacyPath, Data: page})
}

// exportData sends all data of an organisation as a file. The export is recorded in the audit log before it starts.
func (c *Console) exportData(w http.ResponseWriter, r *http.Request) error {
	if err := c.countView(r.Context(), r.PathValue("id")); err != nil {
		return err
	}
	export, err := c.UseCases.ExportOrganisation.Do(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(export, "", "  ")
	if err != nil {
		return fault.Wrap(err, fault.Internal, "The export can't be written")
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="organisation.json"`)
	_, _ = w.Write(text) // fails if the browser has disconnected
	return nil
}
