package wire

import (
	"encoding/json"
	"fmt"
)

// Tag says how JSON tells which variant of an enum a value is: as a property's name around it, if it's empty.
type Tag struct {
	// Name is the property that says it, among the variant's own.
	Name string
	// Content is the property that the variant's own are in, beside the other.
	Content string
	// IsNone says that nothing tells.
	IsNone bool
}

// MarshalVariant writes a variant of an enum as JSON. The content is nil for one that has none.
func MarshalVariant(tag Tag, name string, content any) ([]byte, error) {
	switch {
	case tag.IsNone:
		return json.Marshal(content)
	case tag.Content != "" && content != nil:
		return json.Marshal(map[string]any{tag.Name: name, tag.Content: content})
	case tag.Name == "" && content != nil:
		return json.Marshal(map[string]any{name: content})
	case tag.Name == "":
		return json.Marshal(name)
	case content == nil:
		return json.Marshal(map[string]string{tag.Name: name})
	}
	inside, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	front, err := json.Marshal(map[string]string{tag.Name: name})
	if err != nil {
		return nil, err
	}
	if len(inside) == 0 || inside[0] != '{' {
		return nil, fmt.Errorf("the variant %q has no properties that %q could be among", name, tag.Name)
	}
	if string(inside) == "{}" {
		return front, nil
	}
	return append(append(front[:len(front)-1], ','), inside[1:]...), nil
}

// VariantText writes a variant without data as its name, of an enum of so many. Of an open one, what isn't known is "unknown".
func VariantText[E interface {
	~uint16
	fmt.Stringer
}](v E, count int, isOpen bool) ([]byte, error) {
	if int(v) >= count && !(isOpen && uint16(v) == UnknownVariant) {
		return nil, fmt.Errorf("%d is none of the variants of %T", uint16(v), v)
	}
	return []byte(v.String()), nil
}

// UnmarshalVariant reads a variant without data by its name, of an enum of so many.
func UnmarshalVariant[E interface {
	~uint16
	fmt.Stringer
}](v *E, count int, name string) error {
	for place := range count {
		if variant := E(place); variant.String() == name {
			*v = variant
			return nil
		}
	}
	return fmt.Errorf("%T has no variant %q", *v, name)
}
