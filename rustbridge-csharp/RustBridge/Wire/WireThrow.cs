using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>Writes the error of an exception that a service has thrown. For generated clients.</summary>
/// <param name="thrown">The exception.</param>
/// <param name="error">The writer of the error's value.</param>
/// <returns>Whether the exception is of the class that the plugin distinguishes.</returns>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate bool WireThrow(PluginException thrown, ref WireWriter error);
