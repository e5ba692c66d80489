package sessionidentity

import (
	"strconv"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCachingCodec_ReturnsUnchangedSessionEachTime(t *testing.T) {
	c := newCachingCodec(scs.GobCodec{})
	deadline := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	data, err := c.Encode(deadline, map[string]any{userKey: "usr_1"})
	require.NoError(t, err)

	for range 3 {
		decodedDeadline, values, err := c.Decode(data)
		require.NoError(t, err)
		assert.Equal(t, deadline, decodedDeadline)
		assert.Equal(t, map[string]any{userKey: "usr_1"}, values)
		values[userKey] = "changed by the caller"
	}
	assert.Len(t, c.sessions, 1)
}

func TestCachingCodec_ReportsMalformedDataEachTime(t *testing.T) {
	c := newCachingCodec(scs.GobCodec{})
	for range 2 {
		_, _, err := c.Decode([]byte("malformed"))
		assert.Error(t, err)
	}
}

func TestCachingCodec_KeepsAtMostMaxCachedSessions(t *testing.T) {
	c := newCachingCodec(scs.GobCodec{})
	for i := range maxCachedSessions + 10 {
		c.add(strconv.Itoa(i), decodedSession{})
	}
	assert.Len(t, c.sessions, maxCachedSessions)
}
