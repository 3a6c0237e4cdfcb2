namespace RustBridge;

/// <summary>A method in one encoding, as its plugin describes it.</summary>
/// <param name="Encoding">The encoding.</param>
/// <param name="IsLeaf">Whether it's short, non-blocking and free of callbacks.</param>
/// <param name="IsAsync">Whether its handler is asynchronous.</param>
/// <param name="Request">The request.</param>
/// <param name="Response">The response.</param>
public sealed record EntryDescription(
    PluginEncoding Encoding,
    bool IsLeaf,
    bool IsAsync,
    MessageDescription Request,
    MessageDescription Response);
