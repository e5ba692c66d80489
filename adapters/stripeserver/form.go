package stripeserver

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// form is the parameters, whose names are as Stripe writes them: items[0][price].
type form struct{ values url.Values }

func (f form) has(name string) bool { return f.values.Has(name) }

func (f form) text(name string) string { return f.values.Get(name) }

// list is the values of an array, be it written name[] or name[0], in their order.
func (f form) list(name string) []string {
	values := slices.Clone(f.values[name+"[]"])
	for i := 0; f.has(name + "[" + strconv.Itoa(i) + "]"); i++ {
		values = append(values, f.text(name+"["+strconv.Itoa(i)+"]"))
	}
	return values
}

// sub is the values of a hash: metadata[name].
func (f form) sub(name string) map[string]string {
	found := map[string]string{}
	for key, values := range f.values {
		inner, is := strings.CutPrefix(key, name+"[")
		if is && strings.HasSuffix(inner, "]") && !strings.Contains(inner, "][") {
			found[strings.TrimSuffix(inner, "]")] = values[0]
		}
	}
	return found
}

// keysOf is the names in a hash of hashes: currency_options[usd][unit_amount].
func (f form) keysOf(name string) []string {
	var found []string
	for key := range f.values {
		inner, is := strings.CutPrefix(key, name+"[")
		inner, _, closed := strings.Cut(inner, "]")
		if is && closed && !slices.Contains(found, inner) {
			found = append(found, inner)
		}
	}
	slices.Sort(found)
	return found
}

// number is an integer, or nothing.
func (f form) number(name string) (value int64, given bool, err error) {
	if !f.has(name) {
		return 0, false, nil
	}
	value, err = strconv.ParseInt(f.text(name), 10, 64)
	if err != nil {
		return 0, true, invalidRequest("parameter_invalid_integer", name, "Invalid integer: "+f.text(name))
	}
	return value, true, nil
}

// required is a value that must be there.
func (f form) required(name string) (string, error) {
	if f.text(name) == "" {
		return "", invalidRequest("parameter_missing", name, "Missing required param: "+name+".")
	}
	return f.text(name), nil
}

// only refuses a value that this Stripe can't do anything with, so that nobody takes it for done.
func (f form) only(name string, able ...string) error {
	if !f.has(name) || slices.Contains(able, f.text(name)) {
		return nil
	}
	return unsupported(name, f.text(name))
}

// under is the parameters within a hash, as if they stood alone.
func (f form) under(name string) form {
	inner := form{values: url.Values{}}
	for key, values := range f.values {
		rest, is := strings.CutPrefix(key, name+"[")
		first, more, closed := strings.Cut(rest, "]")
		if is && closed {
			inner.values[first+more] = values
		}
	}
	return inner
}
