using System;

namespace RustBridge.Internal;

/// <summary>Tells those who listen for mistakes, from threads on which an exception would end the process.</summary>
internal static class Listeners
{
    internal static void Tell<T>(Action<T>? listener, T what)
    {
        try
        {
            listener?.Invoke(what);
        }
        catch (Exception)
        {
            // A listener for mistakes that makes one itself: there's nobody left to tell.
        }
    }
}
