using System;

namespace RustBridge;

/// <summary>
/// The native library isn't in any of the places where it's looked for; the message lists them, with what was found
/// there.
/// </summary>
public sealed class LibraryNotFoundException : DllNotFoundException
{
    /// <summary>Makes one that says nothing.</summary>
    public LibraryNotFoundException()
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="message">What was looked for, and where.</param>
    public LibraryNotFoundException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one.</summary>
    /// <param name="message">What was looked for, and where.</param>
    /// <param name="innerException">The last failure of the system's loader.</param>
    public LibraryNotFoundException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
