package model

import (
	"flag"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestMain limits the run to defaultChecks draws with a fixed seed. Flags and RAPID_CHECKS override this.
func TestMain(m *testing.M) {
	flag.Parse()
	isConfigured := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { isConfigured = isConfigured || f.Name == "rapid.checks" || f.Name == "rapid.seed" })
	if !isConfigured {
		setFlag("rapid.checks", defaultChecks)
		setFlag("rapid.seed", 5)
	}
	os.Exit(m.Run())
}

func setFlag(name string, number int) {
	if err := flag.Set(name, strconv.Itoa(number)); err != nil {
		panic(err)
	}
}

// checks returns the number of draws of this run.
func checks() int {
	number, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		panic(err)
	}
	return number
}

// counters contains the number of times that each outcome occurred. It shows that the draws reach the interesting cases.
type counters map[string]int

// sendRandomRequest has three names, so that requests are drawn more often than other actions.
func TestInvariants_HoldUnderRandomOperations(t *testing.T) {
	counts := counters{}
	rapid.Check(t, func(t *rapid.T) {
		h := newHarness(t, counts)
		h.signUp(t)
		t.Repeat(map[string]func(*rapid.T){
			"":                             h.checkInvariants,
			"a request":                    h.sendRandomRequest,
			"a request on a declined card": h.changeWithDeclinedCard,
			"another request":              h.sendRandomRequest,
			"ask for a quote":              h.requestQuote,
			"ask for a quote and confirm":  h.confirmQuote,
			"any request":                  h.sendRandomRequest,
			"a payment from an account":    h.payFromBankAccount,
			"any two requests at once":     h.sendConcurrently,
			"browser confirms":             h.confirmIntent,
			"refresh billing":              h.refreshBilling,
			"complete everything":          h.completeAllWork,
			"deliver events":               h.deliverEvents,
			"direct cancellation":          h.cancelAtProvider,
			"end a dispute":                h.endDispute,
			"end an overdue plan":          h.endOverdue,
			"lift a hold":                  h.liftHold,
			"an operator acts":             h.actAsOperator,
			"money is returned":            h.returnMoney,
			"move a clock":                 h.skewClock,
			"reconcile":                    h.reconcile,
			"sign up":                      h.signUp,
			"wait":                         h.advanceAtRandom,
		})
		h.completeAllWork(t)
	})
	t.Log(counts)
	for _, name := range requiredCounters() {
		assert.NotZero(t, counts[name], name)
	}
}

// requiredCounters returns the outcomes that must have occurred. Rare outcomes must have occurred only after many draws.
func requiredCounters() []string {
	names := []string{"subscribed", "conflict", "unavailable", "concurrent", "settled", "license displayed"}
	if checks() < 100 {
		return names
	}
	if checks() >= 1000 {
		names = append(names, "ended, owed", "owed invoice tried", "failed late", "returned by the bank", "scheduled",
			"dispute ended", "hold lifted", "operator: lift hold", "operator: end plan")
	}
	return append(names, "changed", "change pending", "paid", "change canceled",
		"ending", "receipts", "quoted", "charged as quoted", "declined", "killed", "confirmed", "checked", "refunded",
		"disputed", "arrived", "operator: refund", "operator: free month")
}
