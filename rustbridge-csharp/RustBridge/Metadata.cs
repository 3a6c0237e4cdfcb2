using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;

namespace RustBridge;

/// <summary>
/// Pairs of a key and a value that accompany a request, or a response as its trailing metadata. Keys may repeat.
/// </summary>
/// <remarks>
/// Keys are visible ASCII without capitals. Values are any bytes. All pairs together may have 64 KiB. A call with other
/// metadata fails with <see cref="Status.InvalidArgument"/>. Don't add pairs while a call with the metadata starts.
/// </remarks>
/// <example>
/// <code>
/// new Metadata { { "user", "ada" }, { "token", tokenBytes } }
/// </code>
/// </example>
[SuppressMessage("Naming", "CA1710", Justification = "It's the word in every language.")]
public sealed class Metadata : IReadOnlyCollection<KeyValuePair<string, ReadOnlyMemory<byte>>>
{
    private const int Number = sizeof(uint);

    /// <summary>The encoded pairs, as they cross the boundary; empty without pairs.</summary>
    private byte[] _encoded;
    private int _length;

    /// <summary>Creates metadata without pairs.</summary>
    public Metadata()
        : this([])
    {
    }

    internal Metadata(byte[] encoded)
    {
        _encoded = encoded;
        _length = encoded.Length;
    }

    /// <summary>The number of pairs.</summary>
    public int Count => _length == 0 ? 0 : (int)Read(0);

    /// <summary>The encoded pairs: a count, then for each pair two lengths, the key and the value.</summary>
    internal ReadOnlySpan<byte> Encoded => _encoded.AsSpan(0, _length);

    /// <summary>Adds a pair whose value is text, which is encoded as UTF-8.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    public void Add(string key, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Add(key, Encoding.UTF8.GetBytes(value));
    }

    /// <summary>Adds a pair.</summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    public void Add(string key, ReadOnlySpan<byte> value)
    {
        ArgumentException.ThrowIfNullOrEmpty(key);
        byte[] keyBytes = Encoding.UTF8.GetBytes(key);
        int count = Count;
        int at = Math.Max(_length, Number);
        int end = checked(at + (2 * Number) + keyBytes.Length + value.Length);
        if (end > _encoded.Length)
        {
            Array.Resize(ref _encoded, Math.Max(end, 2 * _encoded.Length));
        }

        Write(0, count + 1);
        Write(at, keyBytes.Length);
        Write(at + Number, value.Length);
        keyBytes.CopyTo(_encoded, at + (2 * Number));
        value.CopyTo(_encoded.AsSpan(at + (2 * Number) + keyBytes.Length));
        _length = end;
    }

    /// <summary>Returns the first value of a key.</summary>
    /// <param name="key">The key.</param>
    /// <returns>The value, or null if there's none.</returns>
    public ReadOnlyMemory<byte>? Get(string key)
    {
        foreach ((string found, ReadOnlyMemory<byte> value) in this)
        {
            if (found == key)
            {
                return value;
            }
        }

        return null;
    }

    /// <summary>Returns the first value of a key as text.</summary>
    /// <param name="key">The key.</param>
    /// <returns>The text, or null if there's none.</returns>
    public string? GetText(string key) => Get(key) is { } value ? Encoding.UTF8.GetString(value.Span) : null;

    /// <summary>Returns the pairs in order.</summary>
    /// <returns>The pairs.</returns>
    public IEnumerator<KeyValuePair<string, ReadOnlyMemory<byte>>> GetEnumerator()
    {
        int count = Count;
        int at = Number;
        for (int i = 0; i < count; i++)
        {
            var keyLength = (int)Read(at);
            var valueLength = (int)Read(at + Number);
            at += 2 * Number;
            string key = Encoding.UTF8.GetString(_encoded, at, keyLength);
            yield return new(key, _encoded.AsMemory(at + keyLength, valueLength));
            at += keyLength + valueLength;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns the keys as text, without the values, which may be secret.</summary>
    /// <returns>For example <c>Metadata { user, token }</c>.</returns>
    public override string ToString() => $"{nameof(Metadata)} {{ {string.Join(", ", this.Select(pair => pair.Key))} }}";

    // In the machine's byte order, as structs are.
    private uint Read(int at) => MemoryMarshal.Read<uint>(_encoded.AsSpan(at));

    private void Write(int at, int number) => MemoryMarshal.Write(_encoded.AsSpan(at), (uint)number);
}
