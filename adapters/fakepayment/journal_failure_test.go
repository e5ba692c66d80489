package fakepayment

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

type stillClock struct{}

func (stillClock) Now() time.Time { return march }

type oneDollar struct{}

func (oneDollar) Price(catalogue.PriceRef) (money.Amount, error) { return money.New(100, "AUD") }

// failing is a provider whose disk takes nothing.
func failing(t *testing.T) *Provider {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	p, err := Open(Config{Path: path, Clock: stillClock{}, Prices: oneDollar{}})
	require.NoError(t, err)
	require.NoError(t, p.journal.file.Close())
	p.journal.file, err = os.Open(path) // for reading only
	require.NoError(t, err)
	t.Cleanup(func() { assert.Error(t, p.Stop(context.Background()), "the last to hear of it") })
	return p
}

func TestNobodyIsToldWhatTheDiskDidNotTake(t *testing.T) {
	p := failing(t)
	_, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1"})
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	_, err = p.Customer(t.Context(), "cus_unknown")
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "nothing can be trusted any more")
}

// smallDisk takes half a write when it is full.
type smallDisk struct {
	file
	full, stuck bool
}

func (d *smallDisk) Write(lines []byte) (int, error) {
	if !d.full {
		return d.file.Write(lines)
	}
	n, _ := d.file.Write(lines[:len(lines)/2])
	return n, syscall.ENOSPC
}

func (d *smallDisk) Truncate(size int64) error {
	if d.stuck {
		return syscall.EIO
	}
	return d.file.Truncate(size)
}

func TestADiskThatWasFullIsGoodOnceThereIsRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	p, err := Open(Config{Path: path, Clock: stillClock{}, Prices: oneDollar{}})
	require.NoError(t, err)
	disk := &smallDisk{file: p.journal.file}
	p.journal.file = disk
	before, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "before"})
	require.NoError(t, err)

	disk.full = true
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "meanwhile"})
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	_, err = p.Customer(t.Context(), before.ID)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "nobody is told what may be lost")

	disk.full = false
	meanwhile, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "meanwhile"})
	require.NoError(t, err)
	after, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "after"})
	require.NoError(t, err)
	require.NoError(t, p.Stop(t.Context()))

	p, err = Open(Config{Path: path, Clock: stillClock{}, Prices: oneDollar{}})
	require.NoError(t, err)
	for _, made := range []string{before.ID, meanwhile.ID, after.ID} {
		_, err = p.Customer(t.Context(), made)
		assert.NoError(t, err)
	}
	require.NoError(t, p.Stop(t.Context()))
}

func TestAFileThatCannotBeMendedTakesNothingMore(t *testing.T) {
	p, err := Open(Config{Path: filepath.Join(t.TempDir(), "journal"), Clock: stillClock{}, Prices: oneDollar{}})
	require.NoError(t, err)
	disk := &smallDisk{file: p.journal.file, full: true, stuck: true}
	p.journal.file = disk
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1"})
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))

	disk.full = false
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "1"})
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
	assert.Error(t, p.Stop(t.Context()))
}

func TestEverybodyInTheSameWriteHearsOfItsFailure(t *testing.T) {
	p := failing(t)
	var all sync.WaitGroup
	for _, key := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		all.Go(func() {
			_, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: key})
			assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
		})
	}
	all.Wait()
}

func TestACallerDoesNotWaitLongerThanAsked(t *testing.T) {
	p, err := Open(Config{Clock: stillClock{}, Prices: oneDollar{}})
	require.NoError(t, err)
	p.lock <- struct{}{} // somebody is busy and never done
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error)
	go func() {
		_, err := p.Customer(ctx, "cus_1")
		answered <- err
	}()
	cancel()
	assert.Equal(t, fault.Unavailable, fault.CodeOf(<-answered))
}

func TestACallerDoesNotWaitForTheDiskLongerThanAsked(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, newBatch().wait(ctx), context.Canceled)
}
