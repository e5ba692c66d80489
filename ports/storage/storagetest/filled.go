package storagetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// neverStored are the fields that no store keeps.
var neverStored = map[string]bool{"ClientSecret": true, "Secret": true, "URL": true, "Surplus": true, "HardDecline": true}

// requireFilled wants a fixture to have something in every field, so that a field the domain
// gains is not forgotten here, and then in a store.
func requireFilled(t *testing.T, fixture any) {
	t.Helper()
	filled(t, reflect.ValueOf(fixture), "")
}

func filled(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	assert.False(t, v.IsZero(), "%s is empty", path)
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.Pointer && !v.IsNil():
		filled(t, v.Elem(), path)
	case v.Kind() == reflect.Slice && v.Len() > 0:
		filled(t, v.Index(0), path)
	case v.Kind() == reflect.Struct:
		for field, value := range v.Fields() {
			if !neverStored[field.Name] {
				filled(t, value, path+"."+field.Name)
			}
		}
	}
}
