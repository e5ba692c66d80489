package httpapi

import "github.com/vc-admin/diy/ports/payment/plugin"

// Site is what the operator says about this installation.
type Site struct {
	PublicURL  string // without a slash at the end
	MeetingURL string // where Join Meeting leads; "" shows a page that says so
	Payments   plugin.Web
	SalesEmail string
	SalesPhone string
	Branding   Branding
	Live       bool              // the area is open without the debug parameter
	LoginQuery map[string]string // what /auth/login carries as its query
}

// Branding is the operator's own face on the area. Its JSON is the file that DIY_BRANDING names and
// what config.json shows.
type Branding struct {
	Name          string         `json:"name"`
	Company       string         `json:"company"`
	HeaderLinks   []Link         `json:"headerLinks"`
	FooterColumns []FooterColumn `json:"footerColumns"`
	AddressLines  []string       `json:"addressLines"`
	SocialLinks   []Link         `json:"socialLinks"`
	Badges        []string       `json:"badges"`
	CopyrightYear int            `json:"copyrightYear"`
}

// Link leads to a page outside the area.
type Link struct {
	Label string `json:"label"`
	URL   string `json:"url"`
}

// FooterColumn is a titled group of links.
type FooterColumn struct {
	Title string `json:"title"`
	Links []Link `json:"links"`
}

// complete gives every list at least an empty value: on the wire a list is never null.
func (b Branding) complete() Branding {
	b.HeaderLinks = mapEach(b.HeaderLinks, same)
	b.SocialLinks = mapEach(b.SocialLinks, same)
	b.AddressLines = mapEach(b.AddressLines, same)
	b.Badges = mapEach(b.Badges, same)
	b.FooterColumns = mapEach(b.FooterColumns, func(c FooterColumn) FooterColumn {
		return FooterColumn{Title: c.Title, Links: mapEach(c.Links, same)}
	})
	return b
}

func same[T any](v T) T { return v }
