package billing

import "slices"

// OptionalNotices returns the notices that recipients can turn off, because neither the contract nor the law requires them. Some jurisdictions require reminders of a
// renewal, so these are optional only where the operator says so.
func OptionalNotices(renewalReminders bool) []NoticeKind {
	if renewalReminders {
		return []NoticeKind{CardExpires, RenewalAhead}
	}
	return []NoticeKind{CardExpires}
}

// IsOptional reports whether recipients can turn off the notice.
func (k NoticeKind) IsOptional(renewalReminders bool) bool {
	return slices.Contains(OptionalNotices(renewalReminders), k)
}
