package strictjson

// IsText reports whether the value is a text.
func (n Node) IsText() bool { return is[string](n) }

// IsFlag reports whether the value is true or false.
func (n Node) IsFlag() bool { return is[bool](n) }

// IsList reports whether the value is an array.
func (n Node) IsList() bool { return is[[]any](n) }

// IsObject reports whether the value is an object.
func (n Node) IsObject() bool { return is[object](n) }

// Null reports whether the value is null.
func (n Node) Null() bool { return n.value == nil && !n.absent }

// Absent reports whether the value was missing where it had to be.
func (n Node) Absent() bool { return n.absent }

func is[T any](n Node) bool {
	_, ok := n.value.(T)
	return ok
}
