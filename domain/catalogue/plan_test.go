package catalogue_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/catalogue"
)

func TestValue_IsFlagOrText(t *testing.T) {
	tests := []struct {
		name  string
		value catalogue.Value
		text  string
		want  any // the result of Any
	}{
		{"yes", catalogue.Flag(true), "", true},
		{"no", catalogue.Flag(false), "", false},
		{"zero", catalogue.Value{}, "", false},
		{"text", catalogue.Text("60 minutes"), "60 minutes", "60 minutes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, ok := tt.value.Text()
			assert.Equal(t, tt.text, text)
			assert.Equal(t, tt.text != "", ok)
			assert.Equal(t, tt.want, tt.value.Any())
		})
	}
}

func TestValidPlanID_AcceptsLowerCaseLettersDigitsAndHyphens(t *testing.T) {
	for _, id := range []string{"standard", "multi-user", "2026", "-"} {
		assert.True(t, catalogue.ValidPlanID(id), id)
	}
	for _, id := range []string{"", "Standard", "multi_user", "multi user", "é", "standard\n", string(make([]byte, 65))} {
		assert.False(t, catalogue.ValidPlanID(id), "%q", id)
	}
}
