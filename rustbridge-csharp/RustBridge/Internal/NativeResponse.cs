using System;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>A response in the plugin's memory, freed once: by <see cref="Dispose"/>, or at the latest by the collector.</summary>
internal sealed unsafe class NativeResponse : IDisposable
{
    /// <summary>In the place of an outcome, for a response that is by itself; no outcome's address is odd.</summary>
    private const nint NoOutcome = 1;

    private readonly string _method;
    private readonly RbResponse _response;
    private nint _outcome;

    /// <summary>Takes a response over.</summary>
    /// <param name="outcome">What the core gave; owned from now on.</param>
    /// <param name="method">Where it came from, for the report of a leak.</param>
    internal NativeResponse(RbCallResult* outcome, string method)
    {
        _method = method;
        _outcome = (nint)outcome;
        Data = outcome->Response.Data;
        Length = (nint)outcome->Response.Len;
        LeasedMemory.Opened(Length);
    }

    /// <summary>Takes a response over that isn't part of an outcome.</summary>
    /// <param name="response">What the core gave, with a release; emptied, as it's owned from now on.</param>
    /// <param name="method">Where it came from, for the report of a leak.</param>
    internal NativeResponse(ref RbResponse response, string method)
    {
        _method = method;
        _response = response;
        _outcome = NoOutcome;
        Data = response.Data;
        Length = (nint)response.Len;
        response = default;
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

    /// <summary>The bytes, valid until it's disposed of.</summary>
    internal ReadOnlySpan<byte> Span => new(Data, checked((int)Length));

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

        if (left == NoOutcome)
        {
            RbResponse response = _response;
            Native.ResponseRelease(&response);
        }
        else
        {
            Native.OutcomeRelease((RbCallResult*)left);
        }

        LeasedMemory.Released(Length);
        return true;
    }
}
