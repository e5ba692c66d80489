package trace_test

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/ports/trace"
)

func ExampleWithID() {
	ctx := trace.WithID(context.Background(), "01HX3M8P5K7Q2R4T6V8W0Y1Z2A")
	fmt.Println(trace.IDFromContext(ctx))
	// Output: 01HX3M8P5K7Q2R4T6V8W0Y1Z2A
}
