package console

import (
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/domain/audit"
)

// KindText returns what an entry of the kind states in a timeline.
func KindText(kind audit.Kind) string { return kindTexts[kind] }

// Routes returns the permission of each route by its pattern.
func Routes(c *Console) map[string]operators.Permission {
	routes := map[string]operators.Permission{}
	for _, r := range c.routes() {
		routes[r.pattern] = r.permission
	}
	return routes
}
