package main

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
)

// license has one subcommand, dev, which grants a developer license.
func license(ctx context.Context, io stdio, args []string) error {
	set := flags(io, "license dev --org ID [--plan ID]", "Gives an organisation a developer license. Granting again replaces it.")
	org := set.String("org", "", "the organisation's id")
	plan := set.String("plan", "enterprise", "the plan the license is for")
	if _, err := subcommand(set, args, "dev"); err != nil {
		return err
	}
	if *org == "" {
		set.Usage()
		return errUsage
	}
	return withStore(ctx, io, openStore, func(c config, store *sqlstorage.Store) error {
		grant := app.New(app.Ports{Catalogue: c.catalogue, Store: store}).GrantDevLicense
		if err := grant.Do(ctx, *org, *plan); err != nil {
			return err
		}
		_, err := fmt.Fprintf(io.stdout, "%s has a developer license for %s\n", *org, *plan)
		return err
	})
}
