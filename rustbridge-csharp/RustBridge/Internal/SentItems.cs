namespace RustBridge.Internal;

/// <summary>The items that one call sends, and which of them is being written: what exceptions name.</summary>
/// <param name="method">What they are sent to.</param>
internal sealed class SentItems(Method method)
{
    /// <summary>What they are sent to.</summary>
    internal Method Method { get; } = method;

    /// <summary>How many have been sent.</summary>
    internal long Place { get; set; }
}
