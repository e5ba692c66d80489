package billing

// Mode is what the plans page lets its visitor do.
type Mode string

// The modes.
const (
	ModeLoading  Mode = "loading"  // who is asking is not known yet: nothing is shown
	ModeDisabled Mode = "disabled" // everything is shown, the buttons do nothing
	ModeNew      Mode = "new"      // a first subscription
	ModeUpdate   Mode = "update"   // a change of plan, or a subscription after one that ended
)

// ModeInput is what the plans page knows about its visitor. The zero value is a visitor who is
// not signed in and came without debug.
type ModeInput struct {
	Loading     bool
	Debug       bool // see DebugOn
	Live        bool // the area is open to everyone, without debug
	License     *License
	PastLicense *License
	Currency    string // what the customer is charged in; "" before the first subscription
	Preferred   string // the currency chosen at registration, or ""
}

// ModeOf decides the plans page's mode. A developer license disables the page: it is granted by
// hand and can't be bought, changed or replaced here.
func ModeOf(in ModeInput) Mode {
	switch {
	case in.Loading:
		return ModeLoading
	case !in.Debug && !in.Live, in.License != nil && in.License.IsDev:
		return ModeDisabled
	case in.License != nil, in.PastLicense != nil:
		return ModeUpdate
	}
	return ModeNew
}
