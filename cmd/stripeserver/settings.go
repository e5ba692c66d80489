package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/vc-admin/diy/domain/catalogue"
)

// settings is everything that can be said on the command line.
type settings struct {
	addr           string
	secretKey      string
	publishableKey string
	catalogueFile  string
	empty          bool
	data           string
	webhookURL     string
	webhookSecret  string
}

func readSettings(args []string, stderr io.Writer) (settings, error) {
	var s settings
	set := flag.NewFlagSet("stripeserver", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.StringVar(&s.addr, "addr", "127.0.0.1:12111", "where it listens; port 0 works, the real address is logged")
	set.StringVar(&s.secretKey, "secret-key", "sk_test_local", "the key of servers")
	set.StringVar(&s.publishableKey, "publishable-key", "pk_test_local", "the key of browsers")
	set.StringVar(&s.catalogueFile, "catalogue", "", "a `file` like catalogue.json with the products and prices to begin with; the embedded one unless set")
	set.BoolVar(&s.empty, "empty", false, "begin without products and prices, as a new account does")
	set.StringVar(&s.data, "data", "data/stripe", "the `folder` where customers, cards and payments are kept; \"\" keeps them in memory")
	set.StringVar(&s.webhookURL, "webhook-url", "http://127.0.0.1:8080/vc-admin/webhooks/stripe", "where events are sent; \"\" sends none")
	set.StringVar(&s.webhookSecret, "webhook-secret", "whsec_local", "what events are signed with")
	return s, set.Parse(args)
}

// catalogue is what is charged for.
func (s settings) catalogue() (*catalogue.Catalogue, error) {
	if s.catalogueFile == "" {
		return catalogue.Default(), nil
	}
	file, err := os.Open(s.catalogueFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	return catalogue.Load(file)
}

// file is the path of a file in the folder, or "" when everything is kept in memory.
func (s settings) file(name string) string {
	if s.data == "" {
		return ""
	}
	return filepath.Join(s.data, name)
}

func (s settings) makeFolder() error {
	if s.data == "" {
		return nil
	}
	return os.MkdirAll(s.data, 0o700)
}
