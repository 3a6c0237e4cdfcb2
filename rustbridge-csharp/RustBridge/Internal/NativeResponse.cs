using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>A response in the plugin's memory, freed once: by <see cref="Dispose"/>, or at the latest by the collector.</summary>
internal sealed unsafe class NativeResponse : IDisposable
{
    private readonly string _method;
    private nint _outcome;

    /// <summary>Takes a response over.</summary>
    /// <param name="outcome">What the core gave; owned from now on.</param>
    /// <param name="method">Where it came from, for the report of a leak.</param>
    internal NativeResponse(RbOutcome* outcome, string method)
    {
        _method = method;
        _outcome = (nint)outcome;
        Data = outcome->Response.Data;
        Length = (nint)outcome->Response.Len;
        LeasedMemory.Opened(Length);
    }

    ~NativeResponse()
    {
        if (Release())
        {
            RawResponse.OnLeaked($"a response of {Length} bytes of {_method} was dropped without Dispose");
        }
    }

    internal byte* Data { get; }

    internal nint Length { get; }

    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private bool Release()
    {
        nint left = Interlocked.Exchange(ref _outcome, 0);
        if (left == 0)
        {
            return false;
        }

        Native.OutcomeRelease((RbOutcome*)left);
        LeasedMemory.Released(Length);
        return true;
    }
}
