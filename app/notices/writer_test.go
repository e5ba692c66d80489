package notices

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestEmailFuncs_ContainExactlyTheKindsOfNotices(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../domain/billing/notice.go", nil, 0)
	require.NoError(t, err)
	kindCount := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, isValue := n.(*ast.ValueSpec)
		if !isValue {
			return true
		}
		if name, isNamed := spec.Type.(*ast.Ident); isNamed && name.Name == "NoticeKind" {
			kind, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			assert.NotNil(t, emailFuncs[billing.NoticeKind(kind)], kind)
			kindCount++
		}
		return true
	})
	assert.Len(t, emailFuncs, kindCount)
}
