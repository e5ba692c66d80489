package crash

import (
	"context"
	"fmt"
	"net/http"
)

// detail is what the session's user is told about themselves.
type detail struct {
	ID, OrgID string
	License   *struct {
		ID, Interval string
		Raw          struct{ Metadata struct{ Name string } }
	}
}

// priceID is what the organisation has subscribed to; "" for nothing.
func (d *detail) priceID() string {
	if d.License == nil {
		return ""
	}
	return d.License.Raw.Metadata.Name + "_" + d.License.Interval
}

func (p *person) detail(ctx context.Context) (*detail, error) {
	a, err := p.get(ctx, "/vc-admin/user/detail")
	if err != nil {
		return nil, err
	}
	var got struct{ Detail *detail }
	if err := a.into(&got); err != nil {
		return nil, err
	}
	if got.Detail == nil {
		return nil, p.refused("the session", a)
	}
	return got.Detail, nil
}

// look finds out whether all that was acknowledged is there, as far as a page shows it.
func (p *person) look(ctx context.Context) error {
	d, err := p.detail(ctx)
	if err != nil {
		return err
	}
	if d.OrgID != p.org {
		p.world.report.lost("person %d: organisation %s became %s", p.number, p.org, d.OrgID)
	}
	if p.subscription != "" && (d.License == nil || d.License.ID != p.subscription || d.priceID() != p.price) {
		p.world.report.lost("person %d: %s on %s became %+v", p.number, p.subscription, p.price, d.License)
	}
	return p.lookAtCards(ctx)
}

func (p *person) lookAtCards(ctx context.Context) error {
	shown, err := p.shownCards(ctx)
	if err != nil {
		return err
	}
	if card, isMissing := p.missing(shown); isMissing {
		p.world.report.lost("person %d: card %s", p.number, card)
	}
	if p.unexpected(shown) {
		p.world.report.doubled("person %d: cards %v, told of %v", p.number, shown, p.cards)
	}
	return nil
}

func (p *person) shownCards(ctx context.Context) ([]string, error) {
	a, err := p.get(ctx, "/vc-admin/org/customer/cards")
	if err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		return nil, fmt.Errorf("cards: %s", a)
	}
	var list struct{ Data []struct{ ID string } }
	if err := a.into(&list); err != nil {
		return nil, err
	}
	var ids []string
	for _, card := range list.Data {
		ids = append(ids, card.ID)
	}
	return ids, nil
}
