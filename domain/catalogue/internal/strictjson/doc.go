// Package strictjson reads a JSON file that a person wrote and reports everything that is wrong
// with it at once, each problem with the place where it stands. It is stricter than
// encoding/json, which stops at the first problem, lets the last of two equal keys win and does
// not mind the case of a key: harmless on the wire, costly in a price list.
package strictjson
