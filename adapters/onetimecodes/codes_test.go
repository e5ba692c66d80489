package onetimecodes_test

import (
	"testing"

	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/ports/identity/identitytest"
)

func TestCodes_Conformance(t *testing.T) { identitytest.RunOneTimeCodes(t, onetimecodes.Codes{}) }
