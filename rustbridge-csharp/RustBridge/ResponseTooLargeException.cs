using System;

namespace RustBridge;

/// <summary>
/// The response of a call doesn't fit into the memory that the caller offered. The call has been made; nothing is
/// lost: the response is in here.
/// </summary>
public sealed class ResponseTooLargeException : Exception
{
    /// <summary>Makes one without a response.</summary>
    public ResponseTooLargeException()
        : this("the response doesn't fit")
    {
    }

    /// <summary>Makes one without a response.</summary>
    /// <param name="message">The error message.</param>
    public ResponseTooLargeException(string message)
        : this(message, null)
    {
    }

    /// <summary>Makes one without a response.</summary>
    /// <param name="message">The error message.</param>
    /// <param name="innerException">The cause.</param>
    public ResponseTooLargeException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="response">All of the response.</param>
    /// <param name="capacity">The number of bytes that the caller had room for.</param>
    public ResponseTooLargeException(byte[] response, int capacity)
        : base($"the response has {response?.Length} bytes, but there is room for {capacity}")
    {
        ArgumentNullException.ThrowIfNull(response);
        Response = response;
        Capacity = capacity;
    }

    /// <summary>All bytes of the response.</summary>
    public ReadOnlyMemory<byte> Response { get; }

    /// <summary>The number of bytes that the caller had room for.</summary>
    public int Capacity { get; }
}
