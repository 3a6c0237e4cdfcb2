package wire

import (
	"reflect"
	"sync"
)

// plainTypes are the structs and arrays that have been looked at.
var plainTypes sync.Map

// isPlain says whether any bytes are a value of a type, so that memory may become one: numbers are, arrays of such and structs of such. Of
// anything else, a pointer or a bool say, forged bytes would be undefined behaviour, whoever asks for it.
func isPlain[T any]() bool {
	switch any((*T)(nil)).(type) {
	case *uint8, *uint16, *uint32, *uint64, *Uint128, *int8, *int16, *int32, *int64, *Int128, *float32, *float64:
		return true
	}
	of := reflect.TypeFor[T]()
	if known, is := plainTypes.Load(of); is {
		return known.(bool)
	}
	is := isPlainType(of)
	plainTypes.Store(of, is)
	return is
}

func isPlainType(of reflect.Type) bool {
	switch of.Kind() {
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Float32, reflect.Float64:
		return true
	case reflect.Array:
		return isPlainType(of.Elem())
	case reflect.Struct:
		for place := range of.NumField() {
			if !isPlainType(of.Field(place).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// notPlain is what is said of such a type.
func notPlain[T any]() string {
	return "a " + reflect.TypeFor[T]().String() + " has another layout in memory than in the wire format"
}
