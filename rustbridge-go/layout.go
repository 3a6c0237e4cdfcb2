package rustbridge

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// layout is how a description says that a struct lies in memory.
type layout struct {
	Type   string  `json:"type"`
	Size   uint64  `json:"size"`
	Fields []field `json:"fields"`
}

type field struct {
	Name   string  `json:"name"`
	Type   string  `json:"type"`
	Offset uint64  `json:"offset"`
	Size   uint64  `json:"size"`
	Fields []field `json:"fields"`
}

// layouts finds those of a method's request and response in its plugin's description; nil for what has none.
func (m *Method) layouts() (*layout, *layout, error) {
	if m.encoding != Pod {
		return nil, nil, errorf(InvalidArgument, "rustbridge.InvalidEncoding", "%s was prepared with the encoding %s, but structs require pod: prepare it with Pod", m.name, m.encoding)
	}
	text, err := m.plugin.Describe()
	if err != nil {
		return nil, nil, err
	}
	type side struct {
		Layout *layout `json:"layout"`
	}
	var described struct {
		Methods []struct {
			Name    string `json:"name"`
			Entries []struct {
				Index    uint32 `json:"index"`
				Encoding string `json:"encoding"`
				Request  side   `json:"request"`
				Response side   `json:"response"`
			} `json:"entries"`
		} `json:"methods"`
	}
	if err := json.Unmarshal(text, &described); err != nil {
		return nil, nil, errorf(Internal, "rustbridge.InvalidDescription", "the plugin's description can't be read: %v", err)
	}
	for _, method := range described.Methods {
		for _, entry := range method.Entries {
			if entry.Encoding == "pod" && entry.Index == m.entry&(1<<14-1) {
				return entry.Request.Layout, entry.Response.Layout, nil
			}
		}
	}
	return nil, nil, nil
}

// fits tells whether a type of Go's lies in memory as a layout says.
func fits[T any](described *layout, method *Method, side string) error {
	found := reflect.TypeFor[T]()
	size := method.request
	if side == "response" {
		size = method.response
	}
	refused := func(problem string) error {
		return errorf(InvalidArgument, "rustbridge.LayoutMismatch", "%s as the %s of %s: %s", found, side, method.name, problem)
	}
	if found.Kind() != reflect.Struct {
		return refused("expected a struct")
	}
	if problem := plain(found, found.String()); problem != "" {
		return refused(problem)
	}
	if uint64(found.Size()) != size {
		return refused(fmt.Sprintf("it has %d bytes, but the plugin's struct has %d", found.Size(), size))
	}
	if described == nil {
		return nil
	}
	if problem := compared(found, described.Fields, described.Type); problem != "" {
		return refused(problem)
	}
	return nil
}

// plain refuses what isn't numbers, or arrays and structs of them: a pointer of Go's must not be read or written by a plugin, and a bool
// has two values only.
func plain(found reflect.Type, path string) string {
	switch found.Kind() {
	case reflect.Struct:
		for index := range found.NumField() {
			field := found.Field(index)
			if problem := plain(field.Type, path+"."+field.Name); problem != "" {
				return problem
			}
		}
		return ""
	case reflect.Array:
		return plain(found.Elem(), path+"[]")
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Int, reflect.Uint, reflect.Uintptr:
		return ""
	}
	return fmt.Sprintf("%s is a %s, expected a number, or an array or a struct of numbers", path, found)
}

// compared tells what of a struct isn't as its description says; empty if nothing.
func compared(found reflect.Type, fields []field, path string) string {
	own := make([]reflect.StructField, 0, found.NumField())
	for index := range found.NumField() {
		// Padding of Go's own, `_ [4]byte`, has no counterpart.
		if one := found.Field(index); one.Name != "_" || found.NumField() == len(fields) {
			own = append(own, one)
		}
	}
	if len(own) != len(fields) {
		return fmt.Sprintf("it has %d fields, but the plugin's %s has %d", len(own), path, len(fields))
	}
	for index, field := range fields {
		one := own[index]
		where := path + "." + field.Name
		if uint64(one.Offset) != field.Offset || uint64(one.Type.Size()) != field.Size {
			return fmt.Sprintf("%s has %d bytes at offset %d, but the plugin's %s has %d bytes at offset %d", one.Name,
				one.Type.Size(), one.Offset, where, field.Size, field.Offset)
		}
		if problem := sameType(one.Type, field, where); problem != "" {
			return one.Name + ": " + problem
		}
	}
	return ""
}

func sameType(found reflect.Type, described field, where string) string {
	name := described.Type
	if inner, count, ok := array(name); ok {
		if found.Kind() != reflect.Array || found.Len() != count {
			return fmt.Sprintf("its type is %s, but the plugin's %s has the type %s", found, where, name)
		}
		element := described
		element.Type = inner
		return sameType(found.Elem(), element, where+"[]")
	}
	if len(described.Fields) > 0 {
		if found.Kind() != reflect.Struct {
			return fmt.Sprintf("its type is %s, but the plugin's %s is the struct %s", found, where, name)
		}
		return compared(found, described.Fields, where)
	}
	if !numbers[name][found.Kind()] && numbers[name] != nil {
		return fmt.Sprintf("its type is %s, but the plugin's %s has the type %s", found, where, name)
	}
	return ""
}

// array reads "[u8; 64]".
func array(name string) (string, int, bool) {
	inner, isArray := strings.CutPrefix(name, "[")
	inner, hasEnd := strings.CutSuffix(inner, "]")
	at := strings.LastIndex(inner, ";")
	if !isArray || !hasEnd || at < 0 {
		return "", 0, false
	}
	count, err := strconv.Atoi(strings.TrimSpace(inner[at+1:]))
	return strings.TrimSpace(inner[:at]), count, err == nil
}

type kinds map[reflect.Kind]bool

// What a number of Rust's may be here.
var numbers = map[string]kinds{
	"i8": {reflect.Int8: true}, "i16": {reflect.Int16: true}, "i32": {reflect.Int32: true}, "i64": {reflect.Int64: true, reflect.Int: true},
	"u8": {reflect.Uint8: true}, "u16": {reflect.Uint16: true}, "u32": {reflect.Uint32: true}, "u64": {reflect.Uint64: true, reflect.Uint: true},
	"f32": {reflect.Float32: true}, "f64": {reflect.Float64: true},
	"isize": {reflect.Int64: true, reflect.Int: true}, "usize": {reflect.Uint64: true, reflect.Uint: true, reflect.Uintptr: true},
}
