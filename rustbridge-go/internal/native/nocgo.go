//go:build !cgo

package native

// The error that this gives says what's missing.
var _ = rustbridge_needs_cgo_so_set_CGO_ENABLED_to_1_and_install_a_C_compiler
