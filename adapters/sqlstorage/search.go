package sqlstorage

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	searchTimeout    = 2 * time.Second
	maxSearchWords   = 8
	maxSearchQuery   = 300  // characters
	maxCountedTerms  = 1000 // of a word
	searchPageLength = 100  // rows that a query reads at a time
)

// selectByIDSQL finds the organisations of an id or an invoice number.
const selectByIDSQL = `SELECT id FROM organisations WHERE id = ?
	UNION ALL SELECT organisation_id FROM subscriptions WHERE id = ?
	UNION ALL SELECT organisation_id FROM memberships WHERE user_id = ?
	UNION ALL SELECT organisation_id FROM search_terms WHERE term = ? AND kind IN ('customer', 'invoice') LIMIT 10`

const (
	termsOfWordSQL = "term >= ? AND term < ?"
	limitTermsSQL  = "SELECT 1 FROM search_terms WHERE " + termsOfWordSQL + " LIMIT ?"
	countTermsSQL  = "SELECT COUNT(*) FROM (" + limitTermsSQL + ") AS counted"
	// selectTermsSQL pages through the terms of the rarest word, in the order of the primary key. termPageSQL adds a
	// condition for each other word.
	selectTermsSQL    = "SELECT t.term, t.organisation_id, t.kind FROM search_terms t WHERE t.term >= ? AND t.term < ?"
	afterTermSQL      = " AND (t.term, t.organisation_id, t.kind) > (?, ?, ?)"
	hasOtherWordSQL   = " AND EXISTS (SELECT 1 FROM search_terms o WHERE o.organisation_id = t.organisation_id AND o.term >= ? AND o.term < ?)"
	orderTermsSQL     = " ORDER BY t.term, t.organisation_id, t.kind LIMIT ?"
	selectMatchesSQL  = "SELECT DISTINCT organisation_id, kind FROM search_terms WHERE organisation_id IN (?) AND (%s)"
	selectAccountsIDs = " WHERE o.id IN (?)"
)

var searchTermTable = newTable[termRow]("search_terms")

// termRow is a row of search_terms.
type termRow struct {
	Term           string `db:"term"`
	OrganisationID string `db:"organisation_id"`
	Kind           string `db:"kind"`
}

// wordRange is the range of the terms that begin with a word.
type wordRange struct{ first, end string }

func newWordRange(word string) wordRange { return wordRange{word, word + string(utf8.MaxRune)} }

func (r wordRange) args() []any { return []any{r.first, r.end} }

// SearchOrganisations implements storage.Search.
func (s *Store) SearchOrganisations(ctx context.Context, query string, limit int) (storage.SearchResult, error) {
	searchCtx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	c := s.reader()
	found, err := c.searchOrganisations(searchCtx, query, limit)
	if err != nil && ctx.Err() == nil && errors.Is(searchCtx.Err(), context.DeadlineExceeded) {
		return storage.SearchResult{TimedOut: true}, nil
	}
	if err != nil {
		return storage.SearchResult{}, s.toFault(err)
	}
	result := storage.SearchResult{IsExact: found.isExact}
	result.Matches, err = c.readMatches(ctx, found)
	return result, s.toFault(err)
}

// foundOrganisations are the ids of the organisations that a search has found, in order.
type foundOrganisations struct {
	ids     []string
	words   []wordRange
	isExact bool
}

func (c conn) searchOrganisations(ctx context.Context, query string, limit int) (foundOrganisations, error) {
	if runes := []rune(query); len(runes) > maxSearchQuery {
		query = string(runes[:maxSearchQuery])
	}
	tokens := strings.Fields(strings.ReplaceAll(query, "\x00", " "))
	if len(tokens) == 1 {
		ids, err := c.findByID(ctx, tokens[0])
		if err != nil || len(ids) == 1 {
			return foundOrganisations{ids: ids, isExact: true}, err
		}
	}
	words, err := c.findSearchWords(ctx, tokens)
	if err != nil || len(words) == 0 {
		return foundOrganisations{}, err
	}
	ids, err := c.findByWords(ctx, words, limit)
	return foundOrganisations{ids: ids, words: words}, err
}

func (c conn) findByID(ctx context.Context, token string) (ids []string, err error) {
	token = strings.ToValidUTF8(token, "")
	err = c.list(ctx, &ids, selectByIDSQL, token, token, token, searchToken(token))
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// findSearchWords returns the words of a query, the rarest first. It returns none if no organisation has one of them.
func (c conn) findSearchWords(ctx context.Context, tokens []string) ([]wordRange, error) {
	counter := wordCounter{conn: c, counts: map[string]int{}}
	for _, token := range tokens {
		if err := counter.addToken(ctx, token); err != nil {
			return nil, err
		}
	}
	if len(counter.counts) == 0 {
		var fields fault.Fields
		fields.Add("q", "Enter at least two characters of a word.")
		return nil, fields.Err()
	}
	return sortByCount(counter.counts), nil
}

// wordCounter counts the terms that begin with the words of a query, each up to maxCountedTerms.
type wordCounter struct {
	conn   conn
	counts map[string]int
}

// addToken adds a token with punctuation, such as an email address, as one word if a term begins with it, and otherwise
// as several words.
func (w wordCounter) addToken(ctx context.Context, token string) error {
	whole, parts := searchToken(token), searchWords(token)
	if whole != "" && !slices.Contains(parts, whole) {
		if err := w.add(ctx, whole); err != nil || w.counts[whole] > 0 {
			return err
		}
		delete(w.counts, whole)
	}
	for _, part := range parts {
		if err := w.add(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (w wordCounter) add(ctx context.Context, word string) error {
	if _, isCounted := w.counts[word]; isCounted || len(w.counts) == maxSearchWords {
		return nil
	}
	r := newWordRange(word)
	var count int
	err := w.conn.get(ctx, "word", &count, countTermsSQL, r.first, r.end, maxCountedTerms)
	w.counts[word] = count
	return err
}

// sortByCount returns the words with the fewest terms first, or nil if a word has none.
func sortByCount(counts map[string]int) []wordRange {
	words := make([]string, 0, len(counts))
	for word, count := range counts {
		if count == 0 {
			return nil
		}
		words = append(words, word)
	}
	// Of common words, the longer one is probably the rarer.
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[a], counts[b]), cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	ranges := make([]wordRange, 0, len(words))
	for _, word := range words {
		ranges = append(ranges, newWordRange(word))
	}
	return ranges
}

// findByWords returns the ids of the organisations with all words, in the order of the first word's terms. An
// organisation can have many terms, so it reads pages until it has enough organisations.
func (c conn) findByWords(ctx context.Context, words []wordRange, limit int) (ids []string, err error) {
	var last *termRow
	for len(ids) < limit {
		query, args := termPageSQL(words, last)
		var rows []termRow
		if err := c.list(ctx, &rows, query, args...); err != nil {
			return nil, err
		}
		for _, row := range rows {
			if len(ids) < limit && !slices.Contains(ids, row.OrganisationID) {
				ids = append(ids, row.OrganisationID)
			}
		}
		if len(rows) < searchPageLength {
			break
		}
		last = &rows[len(rows)-1]
	}
	return ids, nil
}

// termPageSQL returns the statement that reads a page of terms after last, which is nil for the first page.
func termPageSQL(words []wordRange, last *termRow) (query string, args []any) {
	query, args = selectTermsSQL, words[0].args()
	if last != nil {
		query, args = query+afterTermSQL, append(args, last.Term, last.OrganisationID, last.Kind)
	}
	for _, word := range words[1:] {
		query, args = query+hasOtherWordSQL, append(args, word.args()...)
	}
	return query + orderTermsSQL, append(args, searchPageLength)
}

// readMatches reads the organisations in the order of their ids. It omits those that were deleted in the meantime.
func (c conn) readMatches(ctx context.Context, found foundOrganisations) ([]storage.SearchMatch, error) {
	if len(found.ids) == 0 {
		return nil, nil
	}
	kinds, err := c.readMatchingKinds(ctx, found)
	if err != nil {
		return nil, err
	}
	query, args, err := sqlx.In(selectAccountsSQL+selectAccountsIDs, found.ids)
	if err != nil {
		return nil, err
	}
	var rows []accountRow
	if err := c.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	members, err := c.readMembersByOrganisation(ctx, found.ids)
	if err != nil {
		return nil, err
	}
	rowsByOrganisation := map[string][]accountRow{}
	for _, row := range rows {
		rowsByOrganisation[row.Organisation.ID] = append(rowsByOrganisation[row.Organisation.ID], row)
	}
	var matches []storage.SearchMatch
	for _, id := range found.ids {
		if len(rowsByOrganisation[id]) == 0 {
			continue
		}
		o, err := organisationFromRows(rowsByOrganisation[id])
		if err != nil {
			return nil, err
		}
		matches = append(matches, storage.SearchMatch{
			Organisation: o, Members: members[id], Kinds: kinds[id], NameKey: strings.Join(foldedWords(o.Name), " "),
		})
	}
	return matches, nil
}

// readMatchingKinds returns the kinds of the terms that match, for each organisation.
func (c conn) readMatchingKinds(ctx context.Context, found foundOrganisations) (map[string][]storage.TermKind, error) {
	if found.isExact {
		return nil, nil //nolint:nilnil // no kinds
	}
	args := []any{found.ids}
	conditions := make([]string, 0, len(found.words))
	for _, word := range found.words {
		conditions, args = append(conditions, termsOfWordSQL), append(args, word.args()...)
	}
	query, args, err := sqlx.In(strings.Replace(selectMatchesSQL, "%s", strings.Join(conditions, " OR "), 1), args...)
	if err != nil {
		return nil, err
	}
	var rows []struct {
		OrganisationID string           `db:"organisation_id"`
		Kind           storage.TermKind `db:"kind"`
	}
	if err := c.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	kinds := map[string][]storage.TermKind{}
	for _, row := range rows {
		kinds[row.OrganisationID] = append(kinds[row.OrganisationID], row.Kind)
	}
	for _, list := range kinds {
		slices.Sort(list)
	}
	return kinds, nil
}
