package sessionidentity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDescribeDevice_NamesBrowserAndSystem(t *testing.T) {
	const webKit = "AppleWebKit/537.36 (KHTML, like Gecko) "
	for userAgent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webKit + "Chrome/140.0.0.0 Safari/537.36":                   "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) " + webKit + "Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0":     "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) " + webKit + "Version/18.0 Safari/605.1.15":               "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) " + webKit + "CriOS/140.0.0.0 Mobile Safari/604.1": "Chrome on iPhone",
		"Mozilla/5.0 (Linux; Android 15) " + webKit + "SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36":  "Samsung Internet on Android",
		"Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0":                                   "Firefox on Linux",
		"curl/8.5 <script>": "",
		"":                  "",
	} {
		assert.Equal(t, want, describeDevice(userAgent), userAgent)
	}
}
