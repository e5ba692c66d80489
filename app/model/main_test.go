package model

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// TestMain has the usual run be a short one, unless somebody says how many draws there shall be.
func TestMain(m *testing.M) {
	flag.Parse()
	said := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "rapid.checks" })
	if !said {
		if err := flag.Set("rapid.checks", strconv.Itoa(usualChecks)); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
