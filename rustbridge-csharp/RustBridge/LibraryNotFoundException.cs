using System;

namespace RustBridge;

/// <summary>The native library wasn't found. The message lists the searched places and the result for each.</summary>
public sealed class LibraryNotFoundException : DllNotFoundException
{
    /// <summary>Creates an exception with a default message.</summary>
    public LibraryNotFoundException()
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="message">The file that was searched for, and the places.</param>
    public LibraryNotFoundException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception.</summary>
    /// <param name="message">The file that was searched for, and the places.</param>
    /// <param name="innerException">The last error of the system's loader.</param>
    public LibraryNotFoundException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}
