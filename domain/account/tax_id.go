package account

import (
	"regexp"
	"slices"
	"strings"
)

// TaxID is the number under which an organisation is registered for tax.
type TaxID struct {
	Type  string `json:"type"`  // country and kind, as payment providers name it: "au_abn", "nz_gst", "gb_vat", "eu_vat"
	Value string `json:"value"` // without spaces and punctuation
}

// taxIDType describes a type of tax id. A number has to match the format, which is in upper case without punctuation,
// and an ABN also needs a valid checksum. The payment provider verifies whether the number is registered.
type taxIDType struct {
	name           string
	countries      []string // the possible countries of the billing address
	format         *regexp.Regexp
	foreignMessage string // for an address in another country
	invalidMessage string // for an invalid number
}

var abnFormat = regexp.MustCompile(`^[1-9][0-9]{10}$`)

// taxIDTypes contains the supported types. Several types can be valid for an address: Northern Ireland also uses VAT
// numbers of the European Union. Monaco and the Isle of Man belong to the VAT areas of France and Britain, and the
// external territories of Australia use its business numbers.
var taxIDTypes = []taxIDType{
	{
		name: "au_abn", countries: []string{"AU", "CC", "CX", "NF"}, format: abnFormat,
		foreignMessage: "An ABN needs an address in Australia", invalidMessage: "This is not a valid ABN",
	},
	{
		name: "nz_gst", countries: []string{"NZ"}, format: regexp.MustCompile(`^[0-9]{8,9}$`),
		foreignMessage: "A GST number needs an address in New Zealand", invalidMessage: "A GST number has 8 or 9 digits",
	},
	{
		name: "gb_vat", countries: []string{"GB", "IM"},
		format:         regexp.MustCompile(`^GB([0-9]{9}|[0-9]{12}|GD[0-9]{3}|HA[0-9]{3})$`),
		foreignMessage: "A UK VAT number needs an address in the United Kingdom",
		invalidMessage: "A UK VAT number is like GB123456789",
	},
	{
		name: "eu_vat", format: euVATNumber,
		countries: []string{
			"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
			"MC", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
		},
		foreignMessage: "An EU VAT number needs an address in the European Union",
		invalidMessage: "This is not a valid EU VAT number",
	},
}

// euVATNumber matches the formats of the European Commission's VIES service. EL is Greece, XI Northern Ireland.
var euVATNumber = regexp.MustCompile(`^(ATU[0-9]{8}|BE[01][0-9]{9}|BG[0-9]{9,10}|CY[0-9]{8}[A-Z]|CZ[0-9]{8,10}|` +
	`DE[0-9]{9}|DK[0-9]{8}|EE[0-9]{9}|EL[0-9]{9}|ES[A-Z0-9][0-9]{7}[A-Z0-9]|FI[0-9]{8}|FR[A-HJ-NP-Z0-9]{2}[0-9]{9}|` +
	`HR[0-9]{11}|HU[0-9]{8}|IE([0-9]{7}[A-W][A-I]?|[0-9][A-Z+*][0-9]{5}[A-W])|IT[0-9]{11}|` +
	`LT([0-9]{9}|[0-9]{12})|LU[0-9]{8}|LV[0-9]{11}|MT[0-9]{8}|NL[0-9]{9}B[0-9]{2}|PL[0-9]{10}|PT[0-9]{9}|` +
	`RO[0-9]{2,10}|SE[0-9]{12}|SI[0-9]{8}|SK[0-9]{10}|` +
	`XI([0-9]{9}|[0-9]{12}|GD[0-9]{3}|HA[0-9]{3}))$`)

// HasKnownType reports whether the type is supported.
func (id TaxID) HasKnownType() bool {
	_, isKnown := findTaxIDType(id.Type)
	return isKnown
}

// Text returns the number as it is displayed: an ABN in the groups in which it is issued, "51 824 753 556", others as
// stored.
func (id TaxID) Text() string {
	value := id.Value
	if id.Type != "au_abn" || !abnFormat.MatchString(value) {
		return value
	}
	return value[:2] + " " + value[2:5] + " " + value[5:8] + " " + value[8:]
}

// findTaxIDType returns the supported type with the name.
func findTaxIDType(name string) (idType taxIDType, isKnown bool) {
	i := slices.IndexFunc(taxIDTypes, func(t taxIDType) bool { return t.name == name })
	if i < 0 {
		return taxIDType{}, false
	}
	return taxIDTypes[i], true
}

// normalise returns the id in capitals, without spaces and punctuation. A British number gets its prefix.
func (id TaxID) normalise() TaxID {
	idType := trim(id.Type)
	value := asciiUpper(strings.Map(func(r rune) rune {
		if separatesWords(r) || strings.ContainsRune(".-/", r) {
			return -1
		}
		return r
	}, CleanCode(id.Value)))
	if idType == "gb_vat" && value != "" && strings.Trim(value, "0123456789") == "" {
		value = "GB" + value
	}
	return TaxID{Type: idType, Value: value}
}

// problem returns the message about a normalised id of an organisation in the country, or "" if the id is valid.
func (id TaxID) problem(country string) string {
	idType, isKnown := findTaxIDType(id.Type)
	switch {
	case !isKnown:
		return "Unknown type of tax id"
	case id.Value == "":
		return "Tax id is required"
	case !slices.Contains(idType.countries, country):
		return idType.foreignMessage
	case !idType.format.MatchString(id.Value), id.Type == "au_abn" && !validABN(id.Value):
		return idType.invalidMessage
	}
	return ""
}

// validABN reports whether eleven digits have a valid checksum: after 1 is subtracted from the first digit, the weighted
// sum of the digits is a multiple of 89.
func validABN(digits string) bool {
	weights := [...]int{10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19}
	sum := -weights[0]
	for i, weight := range weights {
		sum += weight * int(digits[i]-'0')
	}
	return sum%89 == 0
}
