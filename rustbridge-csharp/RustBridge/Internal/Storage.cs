namespace RustBridge.Internal;

/// <summary>
/// Sizes of memory that are .NET's own affair. What holds for every language comes with a prepared method: how much
/// storage to begin with, how much to keep, and what may go by the cheapest kind of call.
/// </summary>
internal static class Storage
{
    /// <summary>
    /// The most storage that is taken from the stack, which costs nothing; what's larger comes from the pool. The first
    /// offer for encodings without a fixed size goes in.
    /// </summary>
    internal const int Stack = 4 * 1024;

    /// <summary>The longest text that is transcoded on the stack, whatever is in it.</summary>
    internal const int StackChars = Stack / Utf8Text.BytesPerChar;

    /// <summary>
    /// Above this many chars a text isn't given three bytes for each, thrice the memory for nothing, but one, which most JSON needs; what needs more is
    /// counted.
    /// </summary>
    internal const int UncountedChars = 256 * 1024;

    /// <summary>
    /// What memory for written objects begins with. It grows as they're written and is the thread's, not the method's.
    /// </summary>
    internal const int FirstObject = 1024;

    /// <summary>
    /// The largest struct of a request that is copied to the stack, so that nobody can write to it. Larger ones are for the core to copy.
    /// </summary>
    internal const int CopiedStruct = 512;

    /// <summary>
    /// The largest struct that a lease gets as an array of its own, which up to here costs less than memory of the
    /// plugin's that must be given back.
    /// </summary>
    internal const int LeasedArray = 16 * 1024;
}
