package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/engine"
)

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 9, 30, 15, 0, time.UTC)
}

func TestPeriodEnd_KeepsDayOfAnchor(t *testing.T) {
	tests := []struct {
		name     string
		interval catalogue.Interval
		anchor   time.Time
		ends     []time.Time
	}{
		{"an ordinary day", catalogue.Monthly, date(2026, 1, 15), []time.Time{date(2026, 2, 15), date(2026, 3, 15)}},
		{"the 31st", catalogue.Monthly, date(2026, 1, 31), []time.Time{
			date(2026, 2, 28), date(2026, 3, 31), date(2026, 4, 30), date(2026, 5, 31),
		}},
		{"the 30th over a leap day", catalogue.Monthly, date(2027, 12, 30), []time.Time{
			date(2028, 1, 30), date(2028, 2, 29), date(2028, 3, 30),
		}},
		{"over the end of the year", catalogue.Monthly, date(2026, 11, 30),
			[]time.Time{date(2026, 12, 30), date(2027, 1, 30)}},
		{"a year", catalogue.Yearly, date(2026, 3, 1), []time.Time{date(2027, 3, 1), date(2028, 3, 1)}},
		{"a year from a leap day", catalogue.Yearly, date(2028, 2, 29), []time.Time{
			date(2029, 2, 28), date(2030, 2, 28), date(2031, 2, 28), date(2032, 2, 29),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := tt.anchor
			for _, want := range tt.ends {
				end := engine.PeriodEnd(tt.anchor, start, tt.interval)
				assert.Equal(t, want, end)
				start = end
			}
		})
	}
}

func TestPeriodEnd_IsAfterStart(t *testing.T) {
	for name, start := range map[string]time.Time{
		"between two ends": date(2026, 2, 10), "a second before an end": date(2026, 2, 15).Add(-time.Second),
		"before the anchor": date(2026, 1, 1), "years later": date(2040, 7, 31),
	} {
		t.Run(name, func(t *testing.T) {
			end := engine.PeriodEnd(date(2026, 1, 15), start, catalogue.Monthly)
			assert.True(t, end.After(start))
			assert.Equal(t, 15, end.Day())
		})
	}
}

func TestProrate_RoundsHalfUp(t *testing.T) {
	start, end := date(2026, 1, 1), date(2026, 1, 11)
	tests := []struct {
		name   string
		amount int64
		now    time.Time
		want   int64
	}{
		{"whole amount at the start", 1000, start, 1000},
		{"nothing at the end", 1000, end, 0},
		{"nothing afterwards", 1000, end.Add(time.Hour), 0},
		{"whole amount before the start", 1000, start.Add(-time.Hour), 1000},
		{"three tenths", 1000, date(2026, 1, 8), 300},
		{"half is rounded up", 5, date(2026, 1, 10), 1},
		{"less than half is rounded down", 4, date(2026, 1, 10), 0},
		{"large amount", 1 << 60, date(2026, 1, 6), 1 << 59},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, engine.Prorate(tt.amount, tt.now, start, end))
		})
	}
	assert.Zero(t, engine.Prorate(1000, start, start, start), "a period of no length")
}
