package operators_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// TestUseCases_RefuseOperatorsWithoutARole enumerates the use cases: none calls a port before it has checked the operator.
func TestUseCases_RefuseOperatorsWithoutARole(t *testing.T) {
	useCases := reflect.ValueOf(operators.New(operators.Ports{}))
	for name, ctx := range map[string]context.Context{
		"no operator":      t.Context(),
		"user":             audit.WithActor(t.Context(), audit.User("ann")),
		"without a role":   operators.WithOperator(t.Context(), operators.Operator{Name: "olga"}),
		"with unknown":     operators.WithOperator(t.Context(), operators.Operator{Name: "olga", Roles: []operators.Role{"root"}}),
		"without any name": operators.WithOperator(t.Context(), operators.CommandLine("")),
	} {
		for i := range useCases.NumField() {
			do := useCases.Field(i).MethodByName("Do")
			args := []reflect.Value{reflect.ValueOf(ctx)}
			for j := 1; j < do.Type().NumIn(); j++ {
				args = append(args, reflect.Zero(do.Type().In(j)))
			}
			results := do.Call(args)
			err, _ := reflect.TypeAssert[error](results[len(results)-1])
			assert.True(t, fault.Is(err, fault.Forbidden), "%s: %s returns %v", name, useCases.Type().Field(i).Name, err)
		}
	}
}

func TestPermissions_HaveRoles(t *testing.T) {
	for _, p := range operators.Permissions() {
		assert.NotEmpty(t, p.Roles(), p)
		assert.Subset(t, operators.Roles(), p.Roles(), p)
		assert.True(t, operators.CommandLine("root").May(p), p)
	}
	auditor := operators.Operator{Name: "ada", Roles: []operators.Role{operators.Auditor}}
	assert.True(t, auditor.May(operators.MayViewAuditLog))
	assert.False(t, auditor.May(operators.MayViewOrganisation))
	assert.False(t, auditor.May("do anything else"))
}

func TestWithOperator_SetsTheActor(t *testing.T) {
	ctx := operators.WithOperator(t.Context(), operators.CommandLine("olga"))
	assert.Equal(t, audit.Operator("olga"), audit.ActorFromContext(ctx))
	assert.Equal(t, "olga", operators.FromContext(ctx).Name)
	require.NoError(t, operators.Require(ctx, operators.MaySearch))
}
