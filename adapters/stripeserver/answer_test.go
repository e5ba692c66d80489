package stripeserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// got is an answer.
type got struct {
	t      *testing.T
	status int
	header http.Header
	body   object
}

// at is the value at a path of fields and list positions: items.data.0.price.
func (g got) at(path string) any {
	g.t.Helper()
	var value any = g.body
	for step := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case object:
			value = v[step]
		case []any:
			require.Len(g.t, step, 1)
			require.Less(g.t, int(step[0]-'0'), len(v), path)
			value = v[step[0]-'0']
		default:
			return nil
		}
	}
	return value
}

func (g got) text(path string) string {
	g.t.Helper()
	text, is := g.at(path).(string)
	require.True(g.t, is, "%s is %v in %v", path, g.at(path), g.body)
	return text
}

// refused asserts an error's status, type and code.
func (g got) refused(status int, kind, code string) {
	g.t.Helper()
	assert.Equal(g.t, status, g.status, "%v", g.body)
	assert.Equal(g.t, kind, g.at("error.type"))
	if code == "" {
		assert.Nil(g.t, g.at("error.code"))
		return
	}
	assert.Equal(g.t, code, g.at("error.code"))
}
