using System;

namespace RustBridge;

/// <summary>
/// The exception of a response that doesn't fit into the caller's buffer. The call has run, and the exception contains
/// the response, so nothing is lost.
/// </summary>
public sealed class ResponseTooLargeException : Exception
{
    /// <summary>Creates an exception without a response.</summary>
    public ResponseTooLargeException()
        : this("the response doesn't fit")
    {
    }

    /// <summary>Creates an exception without a response.</summary>
    /// <param name="message">The error message.</param>
    public ResponseTooLargeException(string message)
        : this(message, null)
    {
    }

    /// <summary>Creates an exception without a response.</summary>
    /// <param name="message">The error message.</param>
    /// <param name="innerException">The cause.</param>
    public ResponseTooLargeException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="response">The whole response.</param>
    /// <param name="capacity">The size of the caller's buffer in bytes.</param>
    public ResponseTooLargeException(byte[] response, int capacity)
        : base($"the response has {response?.Length} bytes, but there is room for {capacity}")
    {
        ArgumentNullException.ThrowIfNull(response);
        Response = response;
        Capacity = capacity;
    }

    /// <summary>All bytes of the response.</summary>
    public ReadOnlyMemory<byte> Response { get; }

    /// <summary>The size of the caller's buffer in bytes.</summary>
    public int Capacity { get; }
}
