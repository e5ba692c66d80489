package billing

import "slices"

// OptionalNotices returns the notices that recipients can turn off, because neither the contract nor the law requires them. Some jurisdictions require reminders of a
// renewal, so these are optional only where the operator says so.
func OptionalNotices(renewalRemindersOptional bool) []NoticeKind {
	if renewalRemindersOptional {
		return []NoticeKind{CardExpires, RenewalAhead}
	}
	return []NoticeKind{CardExpires}
}

// IsOptional reports whether recipients can turn off the notice.
func (k NoticeKind) IsOptional(renewalRemindersOptional bool) bool {
	return slices.Contains(OptionalNotices(renewalRemindersOptional), k)
}
