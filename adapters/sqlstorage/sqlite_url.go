package sqlstorage

import "strings"

// parseSQLite returns the path of an SQLite database. It refuses what looks like another tool's
// URL, which would otherwise quietly make a file with an odd name.
func parseSQLite(url string) (string, error) {
	path, ok := strings.CutPrefix(url, "sqlite:")
	switch {
	case !ok:
		return "", wrongURL("The database's URL must read sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")
	case path == "", strings.HasSuffix(path, "/"):
		return "", wrongURL("The database's URL names no file: write sqlite:PATH")
	case strings.HasPrefix(path, "//"):
		return "", wrongURL("The database's URL has no host: write sqlite:PATH, with one slash when the path is absolute")
	case strings.ContainsAny(path, "?\x00"):
		return "", wrongURL("The database's URL takes no options: write sqlite:PATH")
	case path == ":memory:":
		return "", wrongURL("The database must be a file: what is in memory would be lost")
	}
	return path, nil
}
