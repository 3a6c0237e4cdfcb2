using System;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>Cancels where an exception would end the process, or hide an answer: what listens to a token is the user's, and may throw.</summary>
internal static class Cancellations
{
    /// <summary>Cancels on this thread.</summary>
    internal static void Cancel(CancellationTokenSource cancelled)
    {
        try
        {
            cancelled.Cancel();
        }
        catch (Exception problem)
        {
            Plugin.OnLogFailed(problem);
        }
    }

    /// <summary>Cancels on the pool.</summary>
    internal static async Task CancelAsync(CancellationTokenSource cancelled)
    {
        try
        {
            await cancelled.CancelAsync().ConfigureAwait(false);
        }
        catch (Exception problem)
        {
            Plugin.OnLogFailed(problem);
        }
    }
}
