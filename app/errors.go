package app

import "github.com/vc-admin/diy/domain/fault"

const noAnswer = "The payment provider did not answer. Please try again."

func errNoAnswer() error { return fault.New(fault.Unavailable, noAnswer) }

func errBusy() error {
	return fault.New(fault.Conflict, "Another request of your organisation is still being processed. Please wait a moment and try again.")
}

// isUnknown reports whether the request may have had its effect in spite of the error.
func isUnknown(err error) bool {
	return fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Internal)
}
