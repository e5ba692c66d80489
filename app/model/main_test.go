package model

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// TestMain has the usual run be a short one that draws the same each time, so that what it finds
// was brought by the change at hand; unless somebody says how many draws there shall be.
func TestMain(m *testing.M) {
	flag.Parse()
	said := os.Getenv("RAPID_CHECKS") != ""
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "rapid.checks" || f.Name == "rapid.seed" })
	if !said {
		set("rapid.checks", usualChecks)
		set("rapid.seed", 5)
	}
	os.Exit(m.Run())
}

func set(name string, number int) {
	if err := flag.Set(name, strconv.Itoa(number)); err != nil {
		panic(err)
	}
}

// checks is how many draws this run makes.
func checks() int {
	number, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	if err != nil {
		panic(err)
	}
	return number
}
