package wire

import (
	"encoding/binary"
	"fmt"
)

// walker walks a message by the types of a description, to where its bytes end. Then its steps are the path of what would come next. So
// nothing has to be noted of it while messages are written and read. Each of its methods says whether all of a value is there.
type walker struct {
	bytes []byte
	at    int
	types []any
	steps []string
	// How many steps lead to the last value whose type has a name and that begins where the bytes end; -1 if there's none.
	record int
	// How many types with a name aren't counted for that.
	without int
	depth   int
}

// sizes are the bytes of values that always take as many.
var sizes = map[string]int{
	"unit": 0, "bool": 1, "u8": 1, "i8": 1, "u16": 2, "i16": 2, "u32": 4, "i32": 4, "f32": 4, "char": 4,
	"u64": 8, "i64": 8, "f64": 8, "timestamp": 12, "duration": 12, "u128": 16, "i128": 16, "uuid": 16,
}

func (w *walker) value(of any) bool {
	switch of := of.(type) {
	case string:
		switch of {
		case "string", "bytes", "decimal":
			count, is := w.count()
			return is && w.passed(count)
		case "any":
			return w.dynamic()
		}
		size, is := sizes[of]
		return is && w.passed(size)
	case map[string]any:
		for kind, inside := range of {
			return w.composite(kind, inside)
		}
	}
	return false
}

func (w *walker) composite(kind string, inside any) bool {
	list, _ := inside.([]any)
	switch {
	case kind == "list":
		count, is := w.count()
		return is && w.padding(inside) && w.items(inside, count)
	case kind == "array" && len(list) == 2:
		length, _ := list[1].(float64)
		return w.items(list[0], int(length))
	case kind == "map" && len(list) == 2:
		count, is := w.count()
		return is && w.pairs(list[0], list[1], count)
	case kind == "option":
		return w.optional(inside)
	case kind == "tuple":
		return w.values(list)
	case kind == "object":
		return w.passed(4)
	case kind == "ref":
		return w.named(w.definition(inside))
	}
	return false
}

func (w *walker) definition(number any) map[string]any {
	place, is := number.(float64)
	if !is || int(place) >= len(w.types) {
		return nil
	}
	definition, _ := w.types[int(place)].(map[string]any)
	return definition
}

func (w *walker) named(definition map[string]any) bool {
	// No message that was written or read goes deeper.
	if w.depth++; w.depth > 4*MaxDepth {
		return false
	}
	if w.without > 0 {
		w.without--
	} else if w.at == len(w.bytes) && w.record < 0 {
		w.record = len(w.steps)
	}
	is := w.shape(definition)
	if is {
		w.depth--
	}
	return is
}

func (w *walker) shape(definition map[string]any) bool {
	for _, kind := range []string{"record", "pod"} {
		if fields, is := definition[kind].([]any); is {
			return w.fields(fields)
		}
	}
	if inside, is := definition["newtype"]; is {
		return w.value(inside)
	}
	if values, is := definition["tuple"].([]any); is {
		return w.values(values)
	}
	enum, _ := definition["enum"].(map[string]any)
	variants, _ := enum["variants"].([]any)
	if !w.passed(2) {
		return false
	}
	number := int(binary.LittleEndian.Uint16(w.bytes[w.at-2:]))
	if number >= len(variants) {
		return number == UnknownVariant
	}
	variant, _ := variants[number].(map[string]any)
	w.step(fmt.Sprintf(".%v", variant["name"]))
	if fields, is := variant["fields"].([]any); is && !w.fields(fields) {
		return false
	}
	if values, is := variant["tuple"].([]any); is {
		if len(values) == 1 && !w.value(values[0]) || len(values) != 1 && !w.values(values) {
			return false
		}
	}
	return w.back()
}

func (w *walker) fields(fields []any) bool {
	for _, one := range fields {
		field, _ := one.(map[string]any)
		w.step(fmt.Sprintf(".%v", field["name"]))
		if field["default"] == true && !w.optional(field["type"]) || field["default"] != true && !w.value(field["type"]) {
			return false
		}
		w.back()
	}
	return true
}

func (w *walker) values(types []any) bool {
	for place, one := range types {
		w.step(fmt.Sprintf(".%d", place))
		if !w.value(one) {
			return false
		}
		w.back()
	}
	return true
}

func (w *walker) items(of any, count int) bool {
	for place := range count {
		w.step(fmt.Sprintf("[%d]", place))
		if !w.value(of) {
			return false
		}
		w.back()
	}
	return true
}

func (w *walker) pairs(key, value any, count int) bool {
	for place := range count {
		start := w.at
		if !w.value(key) {
			return false
		}
		if key == "string" {
			w.step(fmt.Sprintf("[%s]", w.bytes[start+4:w.at]))
		} else {
			w.step(fmt.Sprintf("[%d]", place))
		}
		if !w.value(value) {
			return false
		}
		w.back()
	}
	return true
}

func (w *walker) optional(of any) bool {
	return w.passed(1) && (w.bytes[w.at-1] == 0 || w.value(of))
}

func (w *walker) dynamic() bool {
	if !w.passed(1) {
		return false
	}
	switch kind := w.bytes[w.at-1]; kind {
	case isInteger, isLarge, isNumber:
		return w.passed(8)
	case isText, isBytes:
		count, is := w.count()
		return is && w.passed(count)
	case isList:
		count, is := w.count()
		return is && w.items("any", count)
	case isMap:
		count, is := w.count()
		return is && w.pairs("string", "any", count)
	}
	return true
}

func (w *walker) count() (int, bool) {
	if !w.passed(4) {
		return 0, false
	}
	return int(binary.LittleEndian.Uint32(w.bytes[w.at-4:])), true
}

// padding passes what is in front of a list's items, if they are aligned.
func (w *walker) padding(item any) bool {
	for {
		kind, _ := item.(map[string]any)
		array, is := kind["array"].([]any)
		if !is || len(array) == 0 {
			break
		}
		item = array[0]
	}
	switch item := item.(type) {
	case string:
		if size := sizes[item]; size < 2 || item == "char" || item == "uuid" || item == "timestamp" || item == "duration" {
			return true
		}
	case map[string]any:
		if _, is := w.definition(item["ref"])["pod"]; !is {
			return true
		}
	}
	return w.passed(-w.at & 7)
}

func (w *walker) passed(count int) bool {
	if count > len(w.bytes)-w.at || count < 0 {
		return false
	}
	w.at += count
	return true
}

func (w *walker) step(step string) { w.steps = append(w.steps, step) }

func (w *walker) back() bool {
	w.steps = w.steps[:len(w.steps)-1]
	return true
}
