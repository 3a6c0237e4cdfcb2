package rustbridge

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
)

// Code is the canonical status of a failure: gRPC's, with the same numbers. As a target of errors.Is it stands for all errors that
// have it: errors.Is(err, rustbridge.NotFound).
type Code int32

// The codes.
const (
	OK                 Code = 0
	Canceled           Code = 1
	Unknown            Code = 2
	InvalidArgument    Code = 3
	DeadlineExceeded   Code = 4
	NotFound           Code = 5
	AlreadyExists      Code = 6
	PermissionDenied   Code = 7
	ResourceExhausted  Code = 8
	FailedPrecondition Code = 9
	Aborted            Code = 10
	OutOfRange         Code = 11
	Unimplemented      Code = 12
	Internal           Code = 13
	Unavailable        Code = 14
	DataLoss           Code = 15
	Unauthenticated    Code = 16
)

var codeNames = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED",
	"RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
	"UNAUTHENTICATED",
}

// What among Go's own errors says the same.
var codeEquals = map[Code]error{
	Canceled:         context.Canceled,
	DeadlineExceeded: context.DeadlineExceeded,
	NotFound:         fs.ErrNotExist,
	AlreadyExists:    fs.ErrExist,
	PermissionDenied: fs.ErrPermission,
	Unimplemented:    errors.ErrUnsupported,
}

// codeOf takes a number that this package may not know for UNKNOWN.
func codeOf(status int32) Code {
	if status < 0 || int(status) >= len(codeNames) {
		return Unknown
	}
	return Code(status)
}

// String gives the canonical name, e.g. NOT_FOUND.
func (c Code) String() string {
	if c < 0 || int(c) >= len(codeNames) {
		return "CODE(" + strconv.Itoa(int(c)) + ")"
	}
	return codeNames[c]
}

// Error gives the name, so that a code can be a target of errors.Is.
func (c Code) Error() string { return c.String() }
