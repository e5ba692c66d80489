package sqlstorage

import "database/sql"

// text is a column that may be NULL.
type text = sql.Null[string]

// some is a text that is there, even if empty.
func some(s string) text { return text{V: s, Valid: true} }

// orNull is NULL for the empty text, which a unique column may then hold many times.
func orNull(s string) text { return text{V: s, Valid: s != ""} }
