package billing

// DebugOn reports whether the query parameter debug turns the plans page on: it has to be
// present, with any value but "false" or "0". A bare ?debug is on.
func DebugOn(present bool, value string) bool {
	return present && value != "false" && value != "0"
}
