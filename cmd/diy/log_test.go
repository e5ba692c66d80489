package main

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/ports/trace"
)

func TestEveryLineCarriesTheIDOfItsRequest(t *testing.T) {
	var out strings.Builder
	log := newLog(&out)
	ctx := trace.With(t.Context(), "ABC")

	for _, log := range []*slog.Logger{log, log.With("part", "mail")} {
		out.Reset()
		log.InfoContext(ctx, "done", "n", 1)
		assert.Contains(t, out.String(), `"n":1,"request":"ABC"}`)
		assert.Regexp(t, `^{"time":"[^"]+Z","level":"INFO","msg":"done"`, out.String())
	}

	out.Reset()
	log.Info("done")
	assert.NotContains(t, out.String(), "request")
}
