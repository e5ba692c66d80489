package sqlstorage

import (
	"reflect"
	"slices"
	"strings"
)

// table writes the SQL that every table needs from the columns its row type names, so that a
// column is spelled in one place.
type table struct {
	name    string
	columns []string
}

// tableOf is the table whose rows are Row: each field with a db tag is a column.
func tableOf[Row any](name string) table {
	t := table{name: name}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		if column, ok := field.Tag.Lookup("db"); ok {
			t.columns = append(t.columns, column)
		}
	}
	return t
}

// selects reads whole rows; rest is what follows the table's name.
func (t table) selects(rest string) string {
	return "SELECT " + strings.Join(t.columns, ", ") + " FROM " + t.name + " " + rest
}

// inserts adds a row.
func (t table) inserts() string {
	return "INSERT INTO " + t.name + " (" + strings.Join(t.columns, ", ") +
		") VALUES (:" + strings.Join(t.columns, ", :") + ")"
}

// updates changes the row with the same id, but for the columns that are fixed for good.
func (t table) updates(fixed ...string) string {
	var set []string
	for _, column := range t.columns {
		if column != "id" && !slices.Contains(fixed, column) {
			set = append(set, column+" = :"+column)
		}
	}
	return "UPDATE " + t.name + " SET " + strings.Join(set, ", ") + " WHERE id = :id"
}
