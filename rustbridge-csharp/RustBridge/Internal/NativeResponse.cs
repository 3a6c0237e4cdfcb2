using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>A response in the plugin's memory, freed once: by <see cref="Dispose"/>, or at the latest by the collector.</summary>
/// <param name="outcome">What the core gave; owned from now on.</param>
/// <param name="method">Where it came from, for the report of a leak.</param>
internal sealed unsafe class NativeResponse(RbOutcome* outcome, string method) : IDisposable
{
    private nint _outcome = (nint)outcome;

    ~NativeResponse()
    {
        nint left = Interlocked.Exchange(ref _outcome, 0);
        if (left != 0)
        {
            nuint length = ((RbOutcome*)left)->Response.Len;
            Native.OutcomeRelease((RbOutcome*)left);
            RawResponse.OnLeaked($"a response of {length} bytes of {method} was dropped without Dispose");
        }
    }

    internal byte* Data { get; } = outcome->Response.Data;

    internal nint Length { get; } = (nint)outcome->Response.Len;

    public void Dispose()
    {
        nint left = Interlocked.Exchange(ref _outcome, 0);
        if (left != 0)
        {
            Native.OutcomeRelease((RbOutcome*)left);
        }

        GC.SuppressFinalize(this);
    }
}
