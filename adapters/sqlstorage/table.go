package sqlstorage

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// table generates SQL from the columns of a row type, so that each column is named once.
type table struct {
	name       string
	columns    []string
	zeroValues map[string]string // SQL of the zero values of columns that have a Go type without NULL
}

// newTable returns a table with a column for each field of Row that has a db tag.
func newTable[Row any](name string) table {
	t := table{name: name, zeroValues: map[string]string{}}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Row]()) {
		column, ok := field.Tag.Lookup("db")
		if !ok {
			continue
		}
		t.columns = append(t.columns, column)
		switch field.Type.Kind() {
		case reflect.String:
			t.zeroValues[column] = "''"
		case reflect.Int, reflect.Int64:
			t.zeroValues[column] = "0"
		}
	}
	return t
}

// aliasedColumns returns the columns for a SELECT from several tables. It prefixes their names with the alias, so that sqlx
// stores them in the field with this tag.
func (t table) aliasedColumns(alias string) string {
	var columns []string
	for _, column := range t.columns {
		columns = append(columns, fmt.Sprintf(`%[1]s.%[2]s AS "%[1]s.%[2]s"`, alias, column))
	}
	return strings.Join(columns, ", ")
}

// aliasedOptionalColumns returns the columns as aliasedColumns does, but for the optional table of an outer join. If that
// table has no row, the columns have their zero values.
func (t table) aliasedOptionalColumns(alias string) string {
	var columns []string
	for _, column := range t.columns {
		value := alias + "." + column
		if zero, ok := t.zeroValues[column]; ok {
			value = "COALESCE(" + value + ", " + zero + ")"
		}
		columns = append(columns, fmt.Sprintf(`%s AS "%s.%s"`, value, alias, column))
	}
	return strings.Join(columns, ", ")
}

// selectSQL returns a SELECT of all columns. The clauses follow the table's name.
func (t table) selectSQL(clauses string) string {
	return "SELECT " + strings.Join(t.columns, ", ") + " FROM " + t.name + " " + clauses
}

// insertSQL returns an INSERT of a row with named arguments.
func (t table) insertSQL() string {
	return "INSERT INTO " + t.name + " (" + strings.Join(t.columns, ", ") +
		") VALUES (:" + strings.Join(t.columns, ", :") + ")"
}

// updateSQL returns an UPDATE of the row with the same id. It sets all columns except id and immutableColumns.
func (t table) updateSQL(immutableColumns ...string) string {
	var assignments []string
	for _, column := range t.columns {
		if column != "id" && !slices.Contains(immutableColumns, column) {
			assignments = append(assignments, column+" = :"+column)
		}
	}
	return "UPDATE " + t.name + " SET " + strings.Join(assignments, ", ") + " WHERE id = :id"
}

// upsertAssignments returns the assignments of an upsert to all columns but the immutable ones.
func (t table) upsertAssignments(immutableColumns ...string) string {
	var assignments []string
	for _, column := range t.columns {
		if !slices.Contains(immutableColumns, column) {
			assignments = append(assignments, column+" = excluded."+column)
		}
	}
	return strings.Join(assignments, ", ")
}
