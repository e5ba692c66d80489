package storagetest

import "testing"

// everythingIsKept closes the store and looks at what a new one finds.
func everythingIsKept(t *testing.T, h Harness) {
	if h.Close == nil || h.Join == nil {
		t.Log("the harness declares that nothing outlives its store")
		return
	}
	s, in, _ := furnished(t, h)
	h.Close(t, s)
	requireFurnished(t, h.Join(t, s), in)
}
