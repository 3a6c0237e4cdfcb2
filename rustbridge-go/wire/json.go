package wire

import (
	"encoding/json"
	"fmt"
)

// Tag specifies how JSON represents the variant of an enum. The zero value means a property with the variant's name,
// which contains the variant's data.
type Tag struct {
	// Name is the property with the variant's name, next to the variant's own properties.
	Name string
	// Content is the property that contains the variant's data, next to the property Name.
	Content string
	// IsNone means that the variant's name isn't in the JSON.
	IsNone bool
}

// MarshalVariant encodes a variant of an enum as JSON. The content of a variant without data is nil.
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
		return nil, fmt.Errorf("the variant %q isn't written as a JSON object, which the tag %q requires", name, tag.Name)
	}
	if string(inside) == "{}" {
		return front, nil
	}
	return append(append(front[:len(front)-1], ','), inside[1:]...), nil
}

// VariantText returns the name of a variant without data. Count is the number of the enum's variants. For an open enum,
// an unknown variant is "unknown".
func VariantText[E interface {
	~uint16
	fmt.Stringer
}](v E, count int, isOpen bool) ([]byte, error) {
	if int(v) >= count && !(isOpen && uint16(v) == UnknownVariant) {
		return nil, fmt.Errorf("%d isn't a variant of %T", uint16(v), v)
	}
	return []byte(v.String()), nil
}

// UnmarshalVariant sets v to the variant without data that has this name. Count is the number of the enum's variants.
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
