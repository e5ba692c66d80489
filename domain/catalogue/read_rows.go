package catalogue

import (
	"slices"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
)

// readRows reads the comparison: every capability has one row, in whatever order.
func readRows(n strictjson.Node) []Row {
	var rows []Row
	for _, item := range n.Items() {
		row := readRow(item)
		if slices.ContainsFunc(rows, func(r Row) bool { return r.Name == row.Name && r.Name != "" }) {
			item.Problem("%s has a row already", row.Name)
		}
		rows = append(rows, row)
	}
	if !n.IsList() {
		return nil
	}
	for _, key := range capabilityKeys {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Name == key }) {
			n.Problem("no row for %s", key)
		}
	}
	return rows
}

func readRow(n strictjson.Node) Row {
	o := n.Object("name", "label", "include", "condition", "secondary")
	row := Row{
		Name: readCapabilityKey(o.Get("name")), Label: o.Get("label").Text(), Include: o.Get("include").Flag(),
	}
	if condition, found := o.Find("condition"); found {
		row.Condition = condition.Flag()
	}
	if secondary, found := o.Find("secondary"); found {
		row.Secondary = secondary.Text()
	}
	return row
}

func readCapabilityKey(n strictjson.Node) string {
	key := n.Text()
	if key != "" && !slices.Contains(capabilityKeys, key) {
		n.Problem("%q is not a capability", key)
	}
	return key
}
