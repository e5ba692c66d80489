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

// childPathVariable is the environment variable with the path of the file that the child process writes until it is killed.
const childPathVariable = "FAKEPAYMENT_TEST_CHILD_PATH"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPathVariable); path != "" {
		runChild(path)
		return
	}
	os.Exit(m.Run())
}

// runChild creates subscriptions, four at a time, and prints the id of each subscription that was created.
func runChild(path string) {
	p, err := fakepayment.Open(fakepayment.Config{Path: path, Clock: fixedClock{noon}, Prices: testPrices{}})
	if err != nil {
		panic(err)
	}
	for range 4 {
		go func() {
			for {
				_, _ = fmt.Fprintln(os.Stdout, createSubscription(p)) // the parent reads to the end
			}
		}()
	}
	select {}
}

// createSubscription creates a customer with a subscription and returns the id of the subscription.
func createSubscription(p *fakepayment.Provider) string {
	ctx := context.Background()
	c, customerErr := p.CreateCustomer(ctx, payment.NewCustomer{Key: newKey()})
	method, methodErr := p.CreatePaymentMethod(ctx, newCardEntry(visa))
	_, cardErr := p.AddCard(ctx, payment.NewCard{Key: newKey(), CustomerID: c.ID, MethodID: method.ID})
	s, err := p.Subscribe(ctx, payment.NewSubscription{Key: newKey(), CustomerID: c.ID, Price: audPrice("standard_yearly")})
	if err = errors.Join(customerErr, methodErr, cardErr, err); err != nil {
		panic(err)
	}
	return s.ID
}

func TestProvider_KeepsAcknowledgedChangesAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments")
	var ids []string
	for round := range 5 {
		ids = append(ids, killChildAfterSubscriptions(t, path, 7+11*round)...)
		p := openProvider(t, path)
		for _, id := range ids {
			s := getSubscription(t, p, id)
			assert.Equal(t, billing.Active, s.Status)
			subs, err := p.ListSubscriptions(t.Context(), s.CustomerID)
			require.NoError(t, err)
			assert.Len(t, subs, 1)
		}
		stopProvider(t, p)
	}
}

// killChildAfterSubscriptions starts a child process, kills it after it has acknowledged n subscriptions and
// returns all acknowledged ids.
func killChildAfterSubscriptions(t *testing.T, path string, n int) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0])
	command.Env = append(os.Environ(), childPathVariable+"="+path)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	var ids []string
	lines := bufio.NewScanner(out)
	for len(ids) < n && lines.Scan() {
		ids = append(ids, strings.TrimSpace(lines.Text()))
	}
	require.NoError(t, command.Process.Kill())
	// Lines written before the kill count as well.
	for lines.Scan() {
		ids = append(ids, strings.TrimSpace(lines.Text()))
	}
	assert.ErrorContains(t, command.Wait(), "killed")
	require.GreaterOrEqual(t, len(ids), n)
	return ids
}
