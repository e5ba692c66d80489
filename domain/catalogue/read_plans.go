package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
)

// readPlans reads the plans; there must be one at least, and no two of one id.
func readPlans(n strictjson.Node) []Plan {
	var plans []Plan
	for _, item := range n.Items() {
		plan := readPlan(item)
		if slices.ContainsFunc(plans, func(p Plan) bool { return p.ID == plan.ID && p.ID != "" }) {
			item.Problem("the id %q is taken by a plan above", plan.ID)
		}
		plans = append(plans, plan)
	}
	if n.IsList() && len(plans) == 0 {
		n.Problem("must hold a plan at least")
	}
	return plans
}

func readPlan(n strictjson.Node) Plan {
	o := n.Object("id", "name", "displayName", "description", "disabled", "trialPeriodDays", "capabilities")
	plan := Plan{
		ID:              readPlanID(o.Get("id")),
		Name:            o.Get("name").Text(),
		DisplayName:     o.Get("displayName").Text(),
		Description:     o.Get("description").Text(),
		TrialPeriodDays: o.Get("trialPeriodDays").Whole(0, MaxTrialDays),
		Capabilities:    readCapabilities(o.Get("capabilities")),
	}
	if disabled, found := o.Find("disabled"); found {
		plan.Disabled = disabled.Flag()
	}
	return plan
}

func readPlanID(n strictjson.Node) string {
	id := n.Text()
	if id != "" && !ValidPlanID(id) {
		n.Problem("%q must be up to 64 lower-case letters, digits and hyphens", id)
	}
	return id
}

// readCapabilities reads a value for every capability, and none for anything else.
func readCapabilities(n strictjson.Node) Capabilities {
	o := n.Object(capabilityKeys...)
	capabilities := Capabilities{}
	for _, key := range capabilityKeys {
		capabilities[key] = readValue(o.Get(key))
	}
	return capabilities
}

func readValue(n strictjson.Node) Value {
	switch {
	case n.IsText():
		return Text(n.Text())
	case n.IsFlag(), n.Absent():
		return Flag(n.Flag())
	}
	n.Problem("must be true, false or a text")
	return Value{}
}
