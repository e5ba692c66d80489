package diycmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/operators"
	"github.com/vc-admin/diy/app/privacy"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
)

// privacyFlags are the flags of all verbs of `diy privacy`.
type privacyFlags struct{ org, number, file, operator string }

// privacyAction runs a verb of `diy privacy`.
type privacyAction = func(program, context.Context, *app.UseCases, privacyFlags) error

var privacyVerbs = []verb[privacyAction]{
	{"export", []string{"org"}, []string{"by"}, program.exportOrganisation,
		"prints all data of --org as JSON, without credentials and names of operators. The audit log reports the export."},
	{"erase", []string{"org"}, []string{"by"}, program.eraseOrganisation,
		"requests the erasure of --org. All owners are emailed, and can withdraw the request for 14 days. It is refused while\n" +
			"             a plan is live, or money is owed or moving."},
	{"keep", []string{"org"}, []string{"by"}, program.keepOrganisation, "withdraws the request for the erasure of --org."},
	{"invoice", []string{"number"}, []string{"by"}, program.showKeptInvoices,
		"prints the kept invoices of erased organisations with the --number as JSON."},
	{"reapply", []string{"log"}, []string{"by"}, program.reapplyErasures,
		"repeats the erasures that a restored backup has undone. --log is the file of `diy audit export --format ndjson`."},
}

// runPrivacy runs `diy privacy`. With DIY_PAYMENTS=fake it fails while a server runs, because the server uses the provider's
// file.
func (p program) runPrivacy(ctx context.Context, args []string) error {
	set := newVerbFlagSet(p, "privacy", privacyVerbs)
	var f privacyFlags
	set.Var((*pastedCode)(&f.org), "org", "the organisation's ID")
	set.Var((*pastedCode)(&f.number), "number", "the number of the invoice")
	set.StringVar(&f.file, "log", "", "a file with entries of the audit log")
	set.StringVar(&f.operator, "by", "", "who acts (default: the user of the operating system)")
	v, err := parseVerb(set, args, privacyVerbs)
	if err != nil {
		return err
	}
	ctx = operators.WithOperator(ctx, operators.CommandLine(cmp.Or(f.operator, p.operatorName())))
	return p.withStore(ctx, openStore, func(c config, store *sqlstorage.Store) error {
		return p.withUseCases(ctx, c, store, func(u *app.UseCases) error { return v.action(p, ctx, u, f) })
	})
}

func (p program) exportOrganisation(ctx context.Context, u *app.UseCases, f privacyFlags) error {
	export, err := u.ExportOrganisation.Do(ctx, f.org)
	if err != nil {
		return err
	}
	return p.printJSON(export)
}

func (p program) printJSON(value any) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func (p program) eraseOrganisation(ctx context.Context, u *app.UseCases, f privacyFlags) error {
	status, err := u.EraseOrganisation.Do(ctx, f.org)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s will be erased on %s; its owners are notified%s\n",
		f.org, status.Erasure.DueAt.Format(time.DateOnly), describeKeptInvoices(status))
	return err
}

func describeKeptInvoices(s privacy.Status) string {
	if s.KeepUntil.IsZero() {
		return ""
	}
	return "; its invoices are kept before " + s.KeepUntil.Format(time.DateOnly)
}

func (p program) keepOrganisation(ctx context.Context, u *app.UseCases, f privacyFlags) error {
	if _, err := u.KeepOrganisation.Do(ctx, f.org); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%s will not be erased; its owners are notified\n", f.org)
	return err
}

func (p program) showKeptInvoices(ctx context.Context, u *app.UseCases, f privacyFlags) error {
	invoices, err := u.FindKeptInvoices.Do(ctx, f.number)
	if err != nil {
		return err
	}
	if len(invoices) == 0 {
		return fault.New(fault.NotFound, "There is no kept invoice with this number.")
	}
	return p.printJSON(invoices)
}

// reapplyErasures erases the organisations that the log reports as erased and that exist. It continues after a failure.
func (p program) reapplyErasures(ctx context.Context, u *app.UseCases, f privacyFlags) error {
	file, err := os.Open(f.file)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	var errs []error
	for lines := json.NewDecoder(file); lines.More(); {
		var entry struct {
			Action       audit.Kind `json:"event.action"`
			Organisation string     `json:"organization.id"`
		}
		if err := lines.Decode(&entry); err != nil {
			return errors.Join(append(errs, fmt.Errorf("%s is no export as ndjson: %w", f.file, err))...)
		}
		if entry.Action != audit.OrganisationErased {
			continue
		}
		switch err := u.EraseOrganisationAgain.Do(ctx, entry.Organisation); {
		case err == nil:
			_, _ = fmt.Fprintf(p.stdout, "%s is erased again\n", entry.Organisation)
		case fault.Is(err, fault.NotFound):
			_, _ = fmt.Fprintf(p.stdout, "%s does not exist\n", entry.Organisation)
		default:
			errs = append(errs, fmt.Errorf("%s: %w", entry.Organisation, err))
		}
	}
	return errors.Join(errs...)
}
