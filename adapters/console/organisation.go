package console

import (
	"net/http"
	"net/url"
	"time"

	"github.com/vc-admin/diy/app/operators"
)

// organisationPath returns the path of the page of an organisation.
func organisationPath(id string) string { return "/console/organisations/" + url.PathEscape(id) }

// organisationPage is the input of the template.
type organisationPage struct {
	operators.OrganisationView
	Badge            badge
	Place, LocalTime string
}

// Date returns the day in the organisation's time zone.
func (p organisationPage) Date(t time.Time) string { return p.Organisation.TimeZone().Date(t) }

// showOrganisation shows an organisation, unless the operator has viewed too many.
func (c *Console) showOrganisation(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if err := c.countView(r.Context(), id); err != nil {
		return err
	}
	v, err := c.UseCases.ViewOrganisation.Do(r.Context(), id)
	if err != nil {
		return err
	}
	page := organisationPage{
		OrganisationView: v, Badge: statusBadge(v.Organisation), Place: place(v.Organisation.BillingDetails().Address),
		LocalTime: v.Organisation.TimeZone().In(c.Clock.Now()).Format("15:04"),
	}
	return c.respond(w, r, http.StatusOK, "organisation", view{Title: v.Organisation.Name, Data: page})
}
