package console

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// hit is an organisation in the results of the search.
type hit struct {
	ID, Name, Plan, Place, Contact, FoundBy string
	Badge                                   badge
}

// showStart redirects to the first page that the operator may see.
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

// searchResult is the input of the template.
type searchResult struct {
	operators.FoundOrganisations
	Hits    []hit
	Message string // why nothing was searched; "" if it was
}

// showSearch shows the organisations that match the query. For an id it redirects to the page of its organisation.
func (c *Console) showSearch(w http.ResponseWriter, r *http.Request) error {
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	if query == "" {
		return c.respond(w, r, http.StatusOK, "search", view{Title: "Search", Here: "/console/search"})
	}
	found, err := c.UseCases.FindOrganisations.Do(r.Context(), query)
	result := searchResult{FoundOrganisations: found}
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		result.Message, err = fields[0].Message, nil
	}
	if err != nil {
		return err
	}
	if found.IsExact && len(found.Matches) == 1 {
		http.Redirect(w, r, organisationPath(found.Matches[0].Organisation.ID), http.StatusSeeOther)
		return nil
	}
	for _, match := range found.Matches {
		result.Hits = append(result.Hits, c.newSearchHit(match))
	}
	return c.respond(w, r, http.StatusOK, "search", view{Title: searchTitle(found, query), Query: query, Here: "/console/search", Data: result})
}

func searchTitle(found operators.FoundOrganisations, query string) string {
	switch count := len(found.Matches); {
	case count == 0:
		return "No organisation for “" + query + "”"
	case count == 1:
		return "1 organisation for “" + query + "”"
	case found.HasMore:
		return fmt.Sprintf("More than %d organisations for “%s”", count, query)
	default:
		return fmt.Sprintf("%d organisations for “%s”", count, query)
	}
}

func (c *Console) newHit(org account.Organisation) hit {
	return hit{
		ID: org.ID, Name: org.Name, Plan: c.plan(org), Place: place(org.BillingDetails().Address), Contact: org.ContactEmail,
		Badge: statusBadge(org),
	}
}

func (c *Console) newSearchHit(match storage.SearchMatch) hit {
	h := c.newHit(match.Organisation)
	h.FoundBy = describeTermKinds(match.Kinds)
	if len(match.Members) > 0 {
		h.Contact = match.Members[0].FullName() + " · " + h.Contact
	}
	return h
}

// termNames contains the names of the kinds of terms that match a word of the query.
var termNames = map[storage.TermKind]string{
	storage.NameTerm: "name", storage.BillingEmailTerm: "billing email", storage.CustomerTerm: "customer id",
	storage.MethodTerm: "payment method", storage.PersonTerm: "person", storage.EmailTerm: "email", storage.InvoiceTerm: "invoice",
	storage.ChargedTerm: "charged payment method",
}

func describeTermKinds(kinds []storage.TermKind) string {
	names := make([]string, 0, len(kinds))
	for _, kind := range kinds {
		names = append(names, termNames[kind])
	}
	return strings.Join(names, ", ")
}
