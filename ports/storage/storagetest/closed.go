package storagetest

import (
	"slices"
	"testing"

	"github.com/vc-admin/diy/domain/fault"
)

func closedStoreIsUnavailable(t *testing.T, h Harness) {
	if h.Close == nil {
		t.Log("the harness declares that its store can't be closed")
		return
	}
	s, in, emailID := furnished(t, h)
	h.Close(t, s)
	for _, c := range slices.Concat(reads(in), writes(in, emailID)) {
		t.Run(c.name, func(t *testing.T) { requireFault(t, fault.Unavailable, c.do(t.Context(), s)) })
	}
}
