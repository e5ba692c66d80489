package httpapi

import (
	"net/http"

	"github.com/vc-admin/diy/app/notices"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

type emailPreferencesWire struct {
	Org     string                 `json:"org"`
	Email   string                 `json:"email"`
	Notices []noticePreferenceWire `json:"notices"`
}

type noticePreferenceWire struct {
	Kind     billing.NoticeKind `json:"kind"`
	Declined bool               `json:"declined"`
}

type editEmailPreferencesWire struct {
	Token    linkToken            `json:"token"`
	Declined []billing.NoticeKind `json:"declined"`
}

func toNoticePreferenceWire(p notices.NoticePreference) noticePreferenceWire {
	return noticePreferenceWire(p)
}

// showEmailPreferences responds with the optional notices of the recipient of a link. It changes nothing, so a program
// that opens the links in emails turns nothing off.
func (a *api) showEmailPreferences(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[tokenWire](r)
	if err != nil {
		return err
	}
	preferences, err := a.UseCases.ShowEmailPreferences.Do(r.Context(), string(req.Token))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emailPreferencesWire{
		Org: preferences.OrganisationName, Email: preferences.Email, Notices: mapEach(preferences.Notices, toNoticePreferenceWire),
	})
}

func (a *api) editEmailPreferences(w http.ResponseWriter, r *http.Request) error {
	req, err := decodeBody[editEmailPreferencesWire](r)
	if err != nil {
		return err
	}
	if err := a.UseCases.EditEmailPreferences.Do(r.Context(), string(req.Token), req.Declined); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}

// unsubscribe turns off a kind of notices. A mail program sends the request, without cookies and XSRF token, when its
// user clicks on unsubscribe (RFC 8058). The signed link in the email authorises the request.
func (a *api) unsubscribe(w http.ResponseWriter, r *http.Request) error {
	if r.PostFormValue("List-Unsubscribe") != "One-Click" {
		return fault.New(fault.Invalid, "The request must be a form with List-Unsubscribe=One-Click.")
	}
	if err := a.UseCases.Unsubscribe.Do(r.Context(), cleanToken(r.URL.Query().Get("token"))); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, emptyObject{})
}
