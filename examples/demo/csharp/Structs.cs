using System;
using System.Runtime.CompilerServices;
using System.Text;

/// <summary>The request of math.add.</summary>
internal readonly record struct Add(long A, long B);

/// <summary>The response of math.add.</summary>
internal readonly record struct Sum(long Result);

/// <summary>64 bytes of text.</summary>
[InlineArray(64)]
internal struct Text
{
    private byte _first;
}

/// <summary>The request of bench.small.</summary>
internal struct Small
{
    public byte Version;
    private byte _reserved0, _reserved1, _reserved2;
    public Text Key;
    public uint KeyLen;
    public uint Flags;

    /// <summary>Creates the request for a key.</summary>
    public static Small Of(ReadOnlySpan<byte> key)
    {
        var request = new Small { Version = 1, KeyLen = (uint)key.Length, Flags = 1 };
        key.CopyTo(request.Key);
        return request;
    }
}

/// <summary>The response of bench.small.</summary>
internal struct Found
{
    public byte Version;
    private byte _reserved0, _reserved1, _reserved2;
    public Text Value;
    public uint ValueLen;
    public uint TtlSeconds;
    public byte CacheHit;
    private byte _padding0, _padding1, _padding2;

    /// <summary>Returns the value and its time to live as text.</summary>
    public override readonly string ToString()
    {
        ReadOnlySpan<byte> value = Value;
        return $"value {Encoding.UTF8.GetString(value[..(int)ValueLen])}, ttl_seconds {TtlSeconds}";
    }
}
