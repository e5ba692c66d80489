package httpapi

import "net/http"

const rootPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Meetings</title>
<h1>Meetings are held elsewhere</h1>
<p>Please open the link in your invitation to join a meeting.</p>
<p><a href="/vc-admin/diy/plans">Plans and pricing</a></p>
</html>
`

// root leads to where meetings are held, or says that it is not here.
func (a *api) root(w http.ResponseWriter, r *http.Request) error {
	if a.Site.MeetingURL != "" {
		http.Redirect(w, r, a.Site.MeetingURL, http.StatusFound)
		return nil
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, err := w.Write([]byte(rootPage))
	return err
}
