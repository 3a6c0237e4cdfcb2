using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>Creates the exception of an error that has a type. For generated clients.</summary>
/// <param name="failed">An exception with the data that all errors have.</param>
/// <param name="error">The reader of the error's value.</param>
/// <returns>An exception of the error's own class.</returns>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate PluginException WireRaise(PluginException failed, ref WireReader error);
