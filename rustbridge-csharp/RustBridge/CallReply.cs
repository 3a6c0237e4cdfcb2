using System.Collections.Generic;

namespace RustBridge;

/// <summary>
/// What comes back beside an answer, for those who ask for it by <see cref="CallOptions.Reply"/>: filled in when the call has ended, also when
/// it has failed.
/// </summary>
/// <remarks>One for each call. What is read of it while the call is pending is of no meaning.</remarks>
public sealed class CallReply
{
    /// <summary>The trailers: metadata that the method has added to its answer, or its error.</summary>
    public Metadata Trailers { get; internal set; } = new();

    /// <summary>
    /// The objects of the answer, in the order in which it speaks of them, also those that the answer itself holds as
    /// <see cref="PluginObject"/>. Each is the caller's, to be disposed of.
    /// </summary>
    public IReadOnlyList<PluginObject> Objects { get; internal set; } = [];

    /// <summary>The operation's number, if it was pending.</summary>
    internal ulong Operation { get; set; }
}
