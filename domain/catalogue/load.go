package catalogue

import (
	_ "embed"
	"fmt"
	"io"
	"sync"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
)

//go:embed data/catalogue.json
var embedded []byte

// Default is the embedded catalogue. One that can't be read is a defect of this binary, which its
// tests find, so it stops the program.
var Default = sync.OnceValue(func() *Catalogue {
	c, err := Parse(embedded)
	if err != nil {
		panic("catalogue: " + err.Error())
	}
	return c
})

// Load reads a catalogue file that replaces the embedded one; see Parse.
func Load(r io.Reader) (*Catalogue, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("reading the catalogue: %w", err)
	}
	return Parse(data)
}

// Parse reads a catalogue written like data/catalogue.json. What is wrong with it is reported all
// at once, in an Invalid fault whose message has a line and whose fields have an entry for each
// problem; then there is no catalogue.
func Parse(data []byte) (*Catalogue, error) {
	var problems strictjson.Problems
	c := read(strictjson.Read(data, &problems))
	if err := problems.Err("the catalogue"); err != nil {
		return nil, err
	}
	return c, nil
}

// read reads the parts in the order they build on each other.
func read(file strictjson.Node) *Catalogue {
	o := file.Object("defaults", "currencies", "rows", "plans", "prices")
	c := &Catalogue{}
	c.currencies = readCurrencies(o.Get("currencies"))
	c.readDefaults(o.Get("defaults"))
	c.rows = readRows(o.Get("rows"))
	c.plans = readPlans(o.Get("plans"))
	c.readPrices(o.Get("prices"))
	return c
}
