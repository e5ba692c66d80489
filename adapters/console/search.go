package console

import (
	"net/http"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// hit is an organisation in the results of the search.
type hit struct {
	ID, Name, Plan, Place, Contact string
	Badge                          badge
}

// showStart leads to the first page that the operator may see.
func (c *Console) showStart(w http.ResponseWriter, r *http.Request) error {
	operator := operators.FromContext(r.Context())
	for _, item := range navigation {
		if operator.May(item.permission) {
			http.Redirect(w, r, item.Path, http.StatusSeeOther)
			return nil
		}
	}
	return fault.New(fault.NotFound, "Your roles have no page.") // every role has one
}

// showSearch shows the organisations that match the query. A single one that has the query as its id is shown at once.
func (c *Console) showSearch(w http.ResponseWriter, r *http.Request) error {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	if query == "" {
		return c.respond(w, r, http.StatusOK, "search", view{Title: "Search", Here: "/console/search"})
	}
	orgs, err := c.UseCases.FindOrganisations.Do(r.Context(), query)
	if err != nil {
		return err
	}
	if len(orgs) == 1 && (orgs[0].ID == query || orgs[0].Billing.CustomerID == query) {
		http.Redirect(w, r, organisationPath(orgs[0].ID), http.StatusSeeOther) //nolint:gosec // a path of the console
		return nil
	}
	var hits []hit
	for _, org := range orgs {
		hits = append(hits, c.newHit(org))
	}
	title := "No organisation for “" + query + "”"
	switch len(hits) {
	case 0:
	case 1:
		title = "1 organisation for “" + query + "”"
	default:
		title = "Organisations for “" + query + "”"
	}
	return c.respond(w, r, http.StatusOK, "search", view{Title: title, Query: query, Here: "/console/search", Data: hits})
}

func (c *Console) newHit(org account.Organisation) hit {
	return hit{
		ID: org.ID, Name: org.Name, Plan: c.plan(org), Place: place(org.BillingDetails().Address), Contact: org.ContactEmail,
		Badge: statusBadge(org),
	}
}
