package operators

import (
	"context"
	"strings"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// maxFoundOrganisations is the number of organisations that a search shows.
const maxFoundOrganisations = 25

// FindOrganisations finds organisations by a query, such as the name of a caller or an invoice number.
type FindOrganisations struct {
	store interface {
		storage.Organisations
		storage.Teams
		storage.AuditLog
		storage.Search
	}
}

// FoundOrganisations is the result of a search.
type FoundOrganisations struct {
	Matches []storage.SearchMatch // see storage.Search
	// IsExact means that the query is the id of an organisation or a request, or an invoice number, and has one match.
	IsExact  bool
	HasMore  bool // more organisations match: the operator has to add a word
	TimedOut bool // the search took too long: the operator has to add a rarer word
	// SimilarNames means that two organisations can be mistaken for each other: their names are the same without case,
	// diacritics and punctuation, or one begins with all words of the other.
	SimilarNames bool
}

// Do returns the organisations that storage.Search finds, or the organisation of the id of a request. Without a query it
// returns none.
func (u *FindOrganisations) Do(ctx context.Context, query string) (FoundOrganisations, error) {
	if err := Require(ctx, MaySearch); err != nil {
		return FoundOrganisations{}, err
	}
	query = strings.TrimSpace(query)
	if query == "" {
		return FoundOrganisations{}, nil
	}
	result, err := u.store.SearchOrganisations(ctx, query, maxFoundOrganisations+1)
	if err != nil {
		return FoundOrganisations{}, err
	}
	if len(result.Matches) == 0 && !result.TimedOut {
		return u.byRequest(ctx, query)
	}
	found := FoundOrganisations{
		Matches: result.Matches, IsExact: result.IsExact, TimedOut: result.TimedOut, HasMore: len(result.Matches) > maxFoundOrganisations,
	}
	found.Matches = found.Matches[:min(len(found.Matches), maxFoundOrganisations)]
	found.SimilarNames = haveSimilarNames(found.Matches)
	return found, nil
}

// byRequest returns the organisation of a request, whose id error pages show.
func (u *FindOrganisations) byRequest(ctx context.Context, requestID string) (FoundOrganisations, error) {
	entries, err := u.store.AuditEntries(ctx, storage.AuditQuery{RequestID: requestID, Limit: 100})
	if err != nil {
		return FoundOrganisations{}, err
	}
	for _, e := range entries {
		if e.OrganisationID == "" {
			continue
		}
		org, err := u.store.Organisation(ctx, e.OrganisationID)
		if fault.Is(err, fault.NotFound) {
			continue // it was deleted
		}
		if err != nil {
			return FoundOrganisations{}, err
		}
		return u.exactMatch(ctx, org)
	}
	return FoundOrganisations{}, nil
}

func (u *FindOrganisations) exactMatch(ctx context.Context, org account.Organisation) (FoundOrganisations, error) {
	team, err := u.store.Team(ctx, org.ID)
	return FoundOrganisations{Matches: []storage.SearchMatch{{Organisation: org, Members: team.Members}}, IsExact: true}, err
}

func haveSimilarNames(matches []storage.SearchMatch) bool {
	for i, a := range matches {
		for _, b := range matches[:i] {
			if strings.HasPrefix(a.NameKey+" ", b.NameKey+" ") || strings.HasPrefix(b.NameKey+" ", a.NameKey+" ") {
				return true
			}
		}
	}
	return false
}
