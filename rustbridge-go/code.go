package rustbridge

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
)

// Code is the status of a failure. The codes and their numbers are gRPC's.
//
// A code can be the target of errors.Is, and matches all errors with this code: errors.Is(err, rustbridge.NotFound).
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

// codeEquals are Go's own errors with the same meaning.
var codeEquals = map[Code]error{
	Canceled:         context.Canceled,
	DeadlineExceeded: context.DeadlineExceeded,
	NotFound:         fs.ErrNotExist,
	AlreadyExists:    fs.ErrExist,
	PermissionDenied: fs.ErrPermission,
	Unimplemented:    errors.ErrUnsupported,
}

// codeOf returns Unknown for a number that this package doesn't know.
func codeOf(status int32) Code {
	if status < 0 || int(status) >= len(codeNames) {
		return Unknown
	}
	return Code(status)
}

// String returns the canonical name, such as NOT_FOUND.
func (c Code) String() string {
	if c < 0 || int(c) >= len(codeNames) {
		return "CODE(" + strconv.Itoa(int(c)) + ")"
	}
	return codeNames[c]
}

// Error returns the name, so that a code can be a target of errors.Is.
func (c Code) Error() string { return c.String() }
