using System;

namespace RustBridge.Internal;

/// <summary>What a negative result of <c>rb_call_into</c> stands for. Its owner disposes of it, once.</summary>
/// <param name="result">The result.</param>
/// <param name="storage">The storage that the call was given.</param>
internal readonly unsafe ref struct Outcome(long result, byte* storage)
{
    private readonly RbCallResult* _outcome = Of(result);
    private readonly byte* _storage = storage;

    internal static RbCallResult* Of(long result) => (RbCallResult*)(nuint)((0 - (ulong)result) << 4);

    /// <summary>The response, or the error payload.</summary>
    internal ReadOnlySpan<byte> Bytes => BytesOf(_outcome, _storage);

    internal static ReadOnlySpan<byte> BytesOf(RbCallResult* outcome, byte* storage)
    {
        nuint length = outcome->Response.Len;
        if (length > int.MaxValue)
        {
            throw new PluginException(
                Status.ResourceExhausted,
                $"the response has {length} bytes, more than arrays and spans can hold: use CallRawZeroCopy",
                "rustbridge.ResponseTooLarge");
        }

        return new ReadOnlySpan<byte>(outcome->Response.Release == null ? storage : outcome->Response.Data, (int)length);
    }

    /// <summary>
    /// Makes the exception of a call that has failed, and gives its memory back; null of one that hasn't. To be thrown by who called: each function that
    /// an exception goes through takes time, and each <c>finally</c> more so.
    /// </summary>
    /// <param name="result">The result.</param>
    /// <param name="storage">The storage that the call was given.</param>
    /// <param name="method">What was called, if it may know the error's type.</param>
    internal static PluginException? Failure(long result, byte* storage, Method? method = null)
    {
        RbCallResult* outcome = Of(result);
        if (outcome->Status == 0)
        {
            return null;
        }

        try
        {
            return Failures.Of(outcome->Status, BytesOf(outcome, storage), method);
        }
        finally
        {
            Native.OutcomeRelease(outcome);
        }
    }

    public void Dispose() => Native.OutcomeRelease(_outcome);
}
