using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>Makes the exception of an error that has a type. For generated clients.</summary>
/// <param name="failed">What is known of every error.</param>
/// <param name="error">The error itself.</param>
/// <returns>An exception of a class of its own.</returns>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate PluginException WireRaise(PluginException failed, ref WireReader error);
