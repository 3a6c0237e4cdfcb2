// Package rustbridge loads plugins that were written once in Rust, and calls them in this process.
//
//	plugin, err := rustbridge.Load("target/release/hello", nil)
//	if err != nil {
//		return err
//	}
//	defer plugin.Close()
//	var answer struct{ Greeting string }
//	err = plugin.Call(ctx, "greet", map[string]string{"name": "Ada"}, &answer)
//
// A [Plugin] is one instance, with its own configuration, state and log level. Everything here may be used by any number of
// goroutines; what a closed plugin, method or object is asked gets an [Error], as does whatever else can't be.
//
// A context's deadline, cancellation, metadata ([WithMetadata]) and trace ([WithTrace]) go along with a call, and reach the handler in
// Rust. While an async method is pending a goroutine waits and no thread does. A nil context is context.Background().
//
// The package finds librustbridge by the variable RUSTBRIDGE_LIBRARY (the file, or its folder), or else in what was given to [UseLibrary],
// or else in itself, in the module as it ships, or else beside the program.
package rustbridge
