package stripeserver

const (
	usualPage = 10
	fullPage  = 100
)

// listed is a list as it stands in another object: all of it.
func listed(url string, data []object) object {
	all := make([]any, 0, len(data))
	for _, o := range data {
		all = append(all, o)
	}
	return object{"object": "list", "url": url, "has_more": false, "data": all}
}

// page is the part of a list that was asked for.
func (c *call) page(kind string, data []object) (object, error) {
	data, err := c.behindCursor(kind, data)
	if err != nil {
		return nil, err
	}
	limit, given, err := c.form.number("limit")
	switch {
	case err != nil:
		return nil, err
	case !given:
		limit = usualPage
	}
	limit = min(max(limit, 1), fullPage)
	more := int64(len(data)) > limit
	if more {
		data = data[:limit]
	}
	out := listed(c.r.URL.Path, data)
	out["has_more"] = more
	return out, nil
}

// behindCursor is what comes after the object named, which must be in the list.
func (c *call) behindCursor(kind string, data []object) ([]object, error) {
	cursor := c.form.text("starting_after")
	if cursor == "" {
		return data, nil
	}
	for i, o := range data {
		if o["id"] == cursor {
			return data[i+1:], nil
		}
	}
	return nil, missingParam(kind, cursor, "starting_after")
}
