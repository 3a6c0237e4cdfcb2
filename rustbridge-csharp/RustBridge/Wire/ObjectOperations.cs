using System;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>Operations of objects whose types have traits. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ObjectOperations
{
    /// <summary>
    /// Returns a text of the plugin. If the call fails, the text states the error: loggers and debuggers expect a text.
    /// </summary>
    /// <param name="name">The name of the object's class.</param>
    /// <param name="call">Calls the plugin.</param>
    /// <returns>The text.</returns>
    public static string Text(string name, Func<string> call)
    {
        ArgumentNullException.ThrowIfNull(call);
        try
        {
            return call();
        }
        catch (Exception failed) when (failed is PluginException or ObjectDisposedException or InvalidOperationException)
        {
            return $"<{name}: {failed.Message}>";
        }
    }

    /// <summary>Reports whether two objects are equal. Those of different instances aren't, and no call is made.</summary>
    /// <param name="one">The one object.</param>
    /// <param name="other">The other object.</param>
    /// <param name="call">Calls the plugin.</param>
    /// <returns>Whether they are equal.</returns>
    public static bool AreEqual(PluginObject one, PluginObject other, Func<bool> call)
    {
        ArgumentNullException.ThrowIfNull(one);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(call);
        return ReferenceEquals(one, other) || (ReferenceEquals(one.Plugin, other.Plugin) && call());
    }

    /// <summary>Compares two objects.</summary>
    /// <param name="one">The one object.</param>
    /// <param name="other">The other object.</param>
    /// <param name="call">Calls the plugin.</param>
    /// <returns>A number below 0, 0, or a number above 0.</returns>
    /// <exception cref="ArgumentException">The objects belong to different instances.</exception>
    public static int Compare(PluginObject one, PluginObject other, Func<sbyte> call)
    {
        ArgumentNullException.ThrowIfNull(one);
        ArgumentNullException.ThrowIfNull(other);
        ArgumentNullException.ThrowIfNull(call);
        return ReferenceEquals(one.Plugin, other.Plugin)
            ? call()
            : throw new ArgumentException(
                "objects of different instances have no order: compare each with those of its instance",
                nameof(other));
    }
}
