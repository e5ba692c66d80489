// Package operators contains the use cases of the people who run the product: support, finance, engineers, privacy officers
// and auditors. The console and the commands call them.
//
// The context contains the operator and the operator's roles. WithOperator sets them, and makes the operator the actor of
// all entries of the audit log. Each use case has a Permission, and begins with Require. Permissions lists the roles that
// have each permission; the console checks the same table before it shows a page or a link, so that no route is more
// permissive than its use case.
//
// A use case that shows an organisation adds an entry to the audit log before it returns, so that there is no view without an
// entry.
package operators
