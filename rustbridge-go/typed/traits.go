package typed

import (
	"context"

	"github.com/rustbridge/rustbridge/rustbridge-go"
)

// Text returns the text of an object. If the call fails, the text states the error, because fmt.Stringer can't return one.
func Text(method *Method[struct{}, string], object *rustbridge.Object, name string) string {
	text, err := method.CallOn(context.Background(), object, struct{}{})
	if err != nil {
		return "<" + name + ": " + err.Error() + ">"
	}
	return text
}

// Equal reports whether the plugin considers two objects equal. Objects of different instances are unequal, without a call.
func Equal[Q any](
	ctx context.Context, method *Method[Q, bool], one *rustbridge.Object, request Q, other *rustbridge.Object,
) (bool, error) {
	if one == other {
		return true, nil
	}
	if one.Plugin() != other.Plugin() {
		return false, nil
	}
	return method.CallOn(ctx, one, request)
}

// Compare returns the order of two objects: below 0, 0, or above 0.
func Compare[Q any](
	ctx context.Context, method *Method[Q, int8], one *rustbridge.Object, request Q, other *rustbridge.Object,
) (int, error) {
	if one.Plugin() != other.Plugin() {
		return 0, &rustbridge.Error{
			Code:    rustbridge.InvalidArgument,
			Message: "objects of different instances have no order: compare each with those of its instance",
		}
	}
	order, err := method.CallOn(ctx, one, request)
	return int(order), err
}

// NilOther returns the error of comparing an object's order with that of nil.
func NilOther(class string) error {
	return &rustbridge.Error{Code: rustbridge.InvalidArgument, Message: "the other " + class + " is nil, which has no order"}
}
