package strictjson

import (
	"fmt"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// Problems collects what is wrong with one file. The zero value is ready to use.
type Problems struct{ list []fault.Field }

// Add notes a problem and where it stands.
func (p *Problems) Add(path, format string, args ...any) {
	p.list = append(p.list, fault.Field{Name: path, Message: fmt.Sprintf(format, args...)})
}

// Err returns nil when there is no problem, else an Invalid fault whose message names all of
// them, a line each, and whose fields are their paths.
func (p *Problems) Err(what string) error {
	if len(p.list) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("%s has %s", what, count(len(p.list)))}
	for _, f := range p.list {
		lines = append(lines, "  "+f.Name+": "+f.Message)
	}
	return &fault.Error{Code: fault.Invalid, Message: strings.Join(lines, "\n"), Fields: p.list}
}

func count(n int) string {
	if n == 1 {
		return "1 problem:"
	}
	return fmt.Sprintf("%d problems:", n)
}
