using System;
using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace RustBridge.Internal;

/// <summary>Strict transcoding: nothing is replaced, in neither direction.</summary>
internal static class Utf8Text
{
    /// <summary>The most bytes of UTF-8 that a char of UTF-16 takes.</summary>
    internal const int BytesPerChar = 3;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>Writes text as UTF-8; there is room for it.</summary>
    /// <returns>The number of bytes.</returns>
    internal static int Encode(ReadOnlySpan<char> text, Span<byte> utf8)
    {
        try
        {
            return Strict.GetBytes(text, utf8);
        }
        catch (EncoderFallbackException)
        {
            Throw.UnpairedSurrogate();
            return 0;
        }
    }

    /// <summary>Writes text as UTF-8 if there is room for it, and it is any.</summary>
    /// <returns>Whether it is written.</returns>
    internal static bool TryEncode(ReadOnlySpan<char> text, Span<byte> utf8, out int length) =>
        Utf8.FromUtf16(text, utf8, out _, out length, replaceInvalidSequences: false) == OperationStatus.Done;

    /// <summary>Writes text as UTF-8, for what isn't called in a hot loop.</summary>
    internal static byte[] Bytes(string text)
    {
        try
        {
            return Strict.GetBytes(text);
        }
        catch (EncoderFallbackException)
        {
            Throw.UnpairedSurrogate();
            return [];
        }
    }

    /// <summary>The number of bytes that text takes as UTF-8.</summary>
    internal static int Count(string text)
    {
        try
        {
            return Strict.GetByteCount(text);
        }
        catch (EncoderFallbackException)
        {
            Throw.UnpairedSurrogate();
            return 0;
        }
    }

    /// <summary>Makes a string of UTF-8.</summary>
    internal static string Decode(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return Strict.GetString(utf8);
        }
        catch (DecoderFallbackException error)
        {
            Throw.InvalidUtf8(error);
            return "";
        }
    }
}
