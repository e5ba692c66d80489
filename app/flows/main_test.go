package flows

import (
	"testing"

	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }
