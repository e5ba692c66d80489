package sessionidentity

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/ccojocar/zxcvbn-go/data"
	"golang.org/x/text/unicode/norm"
)

// commonPasswords are the ones that leaks showed most often, some 7,000 in lower case, from the
// frequency list of zxcvbn. They are read when the first one is asked for.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	var file struct{ List []string }
	if err := json.Unmarshal(data.MustAsset("data/Passwords.json"), &file); err != nil {
		panic("sessionidentity: the common passwords can't be read: " + err.Error()) // they are part of the program
	}
	common := make(map[string]bool, len(file.List))
	for _, password := range file.List {
		common[password] = true
	}
	return common
})

// Common reports whether the password, in whatever case, is among those that are guessed first.
func (p *Passwords) Common(password string) bool {
	return commonPasswords()[strings.ToLower(norm.NFKC.String(password))]
}
