package billingsync

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// Without a result, the caller would take an empty organisation for the provider's report.
func TestRefreshGroup_FunctionThatEndsItsGoroutineIsUnavailable(t *testing.T) {
	t.Parallel()
	var g refreshGroup

	_, err := g.do(t.Context(), "org_1", nil, func(context.Context, string, []string) (account.Organisation, error) {
		runtime.Goexit()
		return account.Organisation{}, nil
	})

	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}
