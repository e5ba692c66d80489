package main

import (
	"flag"
	"io"
	"os"
	"path/filepath"

	"github.com/vc-admin/diy/domain/catalogue"
)

// settings contains the values of the command line flags.
type settings struct {
	addr           string
	secretKey      string
	publishableKey string
	catalogueFile  string
	startEmpty     bool
	dataFolder     string
	webhookURL     string
	webhookSecret  string
}

func readSettings(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("stripeserver", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:12111", "the `address` to listen on; with port 0 the chosen port is logged")
	flags.StringVar(&s.secretKey, "secret-key", "sk_test_local", "the API `key` of servers")
	flags.StringVar(&s.publishableKey, "publishable-key", "pk_test_local", "the API `key` of browsers")
	flags.StringVar(&s.catalogueFile, "catalogue", "",
		"a `file` like catalogue.json with the initial products and prices; default is the embedded catalogue")
	flags.BoolVar(&s.startEmpty, "empty", false, "start without products and prices, like a new account")
	flags.StringVar(&s.dataFolder, "data", "data/stripe",
		"the `folder` for customers, cards and payments; \"\" keeps them in memory")
	flags.StringVar(&s.webhookURL, "webhook-url", "http://127.0.0.1:8080/vc-admin/webhooks/stripe",
		"the `URL` that events are sent to; \"\" sends none")
	flags.StringVar(&s.webhookSecret, "webhook-secret", "whsec_local", "the `secret` that signs events")
	return s, flags.Parse(args)
}

// loadCatalogue returns the catalogue of the file, or else the embedded one.
func (s settings) loadCatalogue() (*catalogue.Catalogue, error) {
	if s.catalogueFile == "" {
		return catalogue.Default(), nil
	}
	file, err := os.Open(s.catalogueFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading only
	return catalogue.Load(file)
}

// filePath returns the path of a file in the data folder, or "" if the state is kept in memory.
func (s settings) filePath(name string) string {
	if s.dataFolder == "" {
		return ""
	}
	return filepath.Join(s.dataFolder, name)
}

// createDataFolder creates the data folder unless the state is kept in memory.
func (s settings) createDataFolder() error {
	if s.dataFolder == "" {
		return nil
	}
	return os.MkdirAll(s.dataFolder, 0o700)
}
