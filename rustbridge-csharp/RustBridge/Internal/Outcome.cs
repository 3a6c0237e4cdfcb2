using System;
using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>What a negative result of <c>rb_call_into</c> stands for. Its owner disposes of it, once.</summary>
/// <param name="result">The result.</param>
/// <param name="storage">The storage that the call was given.</param>
internal readonly unsafe ref struct Outcome(long result, byte* storage)
{
    private readonly long _result = result;
    private readonly byte* _storage = storage;

    /// <summary>
    /// In the result of an outcome that was allocated here. Addresses divided by 16 are less, and <see cref="Of"/> shifts it out.
    /// </summary>
    private const ulong OwnBit = 1UL << 60;

    /// <summary>Makes the result that <c>rb_call_into</c> would have returned of what another function has.</summary>
    /// <param name="status">The call's status.</param>
    /// <param name="response">Its response, which is owned by the result.</param>
    internal static long Own(int status, in RbResponse response)
    {
        var outcome = (RbOutcome*)NativeMemory.AlignedAlloc((nuint)sizeof(RbOutcome), 16);
        *outcome = new RbOutcome { Size = (uint)sizeof(RbOutcome), Status = status, Response = response };
        return (long)(0 - (((ulong)outcome >> 4) | OwnBit));
    }

    /// <summary>Releases the outcome of a result with its response.</summary>
    internal static void Release(long result)
    {
        RbOutcome* outcome = Of(result);
        if (!IsOwn(result))
        {
            Native.OutcomeRelease(outcome);
            return;
        }

        Native.ResponseRelease(&outcome->Response);
        NativeMemory.AlignedFree(outcome);
    }

    /// <summary>Takes a response out of its outcome, that it outlives.</summary>
    internal static NativeResponse Lease(long result, string method)
    {
        RbOutcome* outcome = Of(result);
        if (!IsOwn(result))
        {
            return new NativeResponse(outcome, method);
        }

        var lease = new NativeResponse(ref outcome->Response, method);
        NativeMemory.AlignedFree(outcome);
        return lease;
    }

    private static bool IsOwn(long result) => ((0 - (ulong)result) & OwnBit) != 0;

    internal static RbOutcome* Of(long result) => (RbOutcome*)(nuint)((0 - (ulong)result) << 4);

    /// <summary>The response, or the error payload.</summary>
    internal ReadOnlySpan<byte> Bytes => BytesOf(Of(_result), _storage);

    internal static ReadOnlySpan<byte> BytesOf(RbOutcome* outcome, byte* storage)
    {
        nuint length = outcome->Response.Len;
        if (length > int.MaxValue)
        {
            throw new PluginException(
                Status.ResourceExhausted,
                $"the response has {length} bytes, more than arrays and spans can hold; CallRawZeroCopy can",
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
        RbOutcome* outcome = Of(result);
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
            Release(result);
        }
    }

    public void Dispose() => Release(_result);
}
