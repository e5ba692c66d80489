package fakepayment_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

// victim names the journal of the process that is to be killed.
const victim = "FAKEPAYMENT_VICTIM_JOURNAL"

func TestMain(m *testing.M) {
	if path := os.Getenv(victim); path != "" {
		liveUntilKilled(path)
		return
	}
	os.Exit(m.Run())
}

// liveUntilKilled has four customers at a time subscribe, and tells of each when it is done.
func liveUntilKilled(path string) {
	p, err := fakepayment.Open(fakepayment.Config{Path: path, Clock: fixedClock{noon}, Prices: prices{}})
	if err != nil {
		panic(err)
	}
	for range 4 {
		go func() {
			for {
				_, _ = fmt.Fprintln(os.Stdout, subscribed(p)) // whoever kills us reads on
			}
		}()
	}
	select {}
}

// subscribed makes a customer with a subscription, whose id it returns.
func subscribed(p *fakepayment.Provider) string {
	ctx := context.Background()
	c, customerErr := p.CreateCustomer(ctx, payment.NewCustomer{Key: newKey()})
	made, madeErr := p.CreatePaymentMethod(ctx, entry(good))
	_, cardErr := p.AddCard(ctx, payment.NewCard{Key: newKey(), CustomerID: c.ID, CardID: made.ID})
	s, err := p.Subscribe(ctx, payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: audPrice("standard_yearly")})
	if err = errors.Join(customerErr, madeErr, cardErr, err); err != nil {
		panic(err)
	}
	return s.ID
}

func TestWhatWasAnsweredSurvivesAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	var told []string
	for round := range 5 {
		told = append(told, killedAfter(t, path, 7+11*round)...)
		p := open(t, path)
		for _, id := range told {
			s := read(t, p, id)
			assert.Equal(t, billing.Active, s.Status)
			all, err := p.ListSubscriptions(t.Context(), s.CustomerID)
			require.NoError(t, err)
			assert.Len(t, all, 1)
		}
		stop(t, p)
	}
}

// killedAfter runs a victim until it has told of so many subscriptions, and kills it.
func killedAfter(t *testing.T, path string, many int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = append(os.Environ(), victim+"="+path)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	var told []string
	lines := bufio.NewScanner(out)
	for len(told) < many && lines.Scan() {
		told = append(told, strings.TrimSpace(lines.Text()))
	}
	require.NoError(t, command.Process.Kill())
	// Whatever it had still told before the blow counts as well.
	for lines.Scan() {
		told = append(told, strings.TrimSpace(lines.Text()))
	}
	assert.ErrorContains(t, command.Wait(), "killed")
	require.GreaterOrEqual(t, len(told), many)
	return told
}
