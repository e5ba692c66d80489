package console

import "github.com/vc-admin/diy/app/operators"

// Routes returns the permission of each route by its pattern.
func Routes(c *Console) map[string]operators.Permission {
	routes := map[string]operators.Permission{}
	for _, r := range c.routes() {
		routes[r.pattern] = r.permission
	}
	return routes
}
