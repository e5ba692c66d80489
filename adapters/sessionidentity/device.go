package sessionidentity

import "strings"

// The names of browsers and systems, and the texts in a User-Agent header that identify them. The first match counts,
// because browsers also contain the names of those that they derive from.
var (
	browserNames = []struct{ text, name string }{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	}
	systemNames = []struct{ text, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"CrOS", "ChromeOS"},
		{"Mac OS X", "macOS"}, {"Linux", "Linux"},
	}
)

// describeDevice returns the browser and the system of a User-Agent header, such as "Chrome on Windows", or "" if both
// are unknown. The result contains no text of the client.
func describeDevice(userAgent string) string {
	find := func(names []struct{ text, name string }) string {
		for _, n := range names {
			if strings.Contains(userAgent, n.text) {
				return n.name
			}
		}
		return ""
	}
	browser, system := find(browserNames), find(systemNames)
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}
