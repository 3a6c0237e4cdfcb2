// Package rustbridge loads Rust plugins into this process and calls them.
//
//	plugin, err := rustbridge.Load("target/release/hello", nil)
//	if err != nil {
//		return err
//	}
//	defer plugin.Close()
//	var answer struct{ Greeting string }
//	err = plugin.Call(ctx, "greet", map[string]string{"name": "Ada"}, &answer)
//
// A [Plugin] is one instance with its own configuration, state and log level. Any number of goroutines may use a
// plugin, its methods and its objects at the same time. If you use a closed plugin or object, or a method of a closed
// plugin, the call returns an [Error].
//
// A call carries its context's deadline, cancellation, metadata ([WithMetadata]) and trace ([WithTrace]) to the handler
// in Rust. While an async method is pending, its goroutine waits, but no thread does. A nil context means
// context.Background().
//
// The package uses the first librustbridge that it finds:
//
//   - the path or folder in the environment variable RUSTBRIDGE_LIBRARY
//   - the image passed to [UseLibrary]
//   - the image embedded in the released module
//   - the program's folder
package rustbridge
