package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// person is somebody at a browser.
type person struct {
	*browser
	*entry
	world  *world
	rnd    *rand.Rand
	starts int64 // of servers, when they looked last whether all is there
}

// errGone ends a person's visit after a problem that was reported.
var errGone = errors.New("gone")

// step is something a person does without being disturbed by the comparisons.
type step func(*person, context.Context) error

// live lets one person after the other come, register, pay, change their mind and go.
func (w *world) live(ctx context.Context, rnd *rand.Rand) {
	for ctx.Err() == nil && !w.over.Load() {
		p := &person{world: w, rnd: rnd, browser: newBrowser(&w.site)}
		if err := p.visit(ctx); err != nil && !errors.Is(err, errGone) {
			w.report.lost("person %d can't go on: %v", p.number, err)
		}
	}
}

func (p *person) visit(ctx context.Context) error {
	steps := []step{(*person).register, (*person).verify, (*person).signIn, (*person).becomeCustomer, (*person).begin}
	more := []step{(*person).addCard, (*person).changePlan, (*person).changePlan, (*person).setDefault, (*person).deleteCard}
	for range 3 + p.rnd.IntN(6) {
		steps = append(steps, more[p.rnd.IntN(len(more))])
	}
	for _, do := range steps {
		if p.world.over.Load() {
			return nil
		}
		if err := p.undisturbed(ctx, do); err != nil {
			return err
		}
	}
	return nil
}

// undisturbed does one step. Who has seen the server go looks first whether all is there.
func (p *person) undisturbed(ctx context.Context, do step) error {
	p.world.quiet.RLock()
	defer p.world.quiet.RUnlock()
	if p.entry == nil {
		p.entry = p.world.ledger.open()
	}
	if starts := p.world.site.starts.Load(); p.customer != "" && starts != p.starts {
		p.starts = starts
		if err := p.look(ctx); err != nil {
			return err
		}
	}
	return do(p, ctx)
}

// refused reports an answer that nobody with a right to another one should get.
func (p *person) refused(what string, a answer) error {
	p.world.report.lost("person %d: %s: %s (sent again: %t)", p.number, what, a, a.again)
	return errGone
}

func (p *person) acknowledged() { p.world.report.acknowledged() }

func (p *person) name() string { return "Clinic " + strconv.Itoa(p.number) }

func (p *person) email() string { return fmt.Sprintf("ann%d@clinic.example", p.number) }
