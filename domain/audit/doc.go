// Package audit describes the audit log: who did what to which account, when, and with which outcome. An entry is stored in
// the transaction of the change that it reports, and never changes afterwards. It contains ids and codes but no personal
// data, because it can't be corrected or erased. Seals make later alterations evident.
package audit
