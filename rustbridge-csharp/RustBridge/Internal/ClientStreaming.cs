using System;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Internal;

/// <summary>A call that takes items and has one answer.</summary>
internal static class ClientStreaming
{
    /// <summary>Sends, and waits for the answer.</summary>
    internal static async ValueTask<T> Answer<T, TAnswer>(
        Method method, StreamOperation stream, TAnswer answer, Func<StreamOperation, CancellationToken, Task> pump, bool kept)
        where TAnswer : struct, IAnswer<T>
    {
        using var pumping = new CancellationTokenSource();
        try
        {
            // It ends with the stream, and tells that what it has met.
            _ = pump(stream, pumping.Token);
            while (await stream.WaitForItems().ConfigureAwait(false))
            {
                // It gives no items; a plugin that says otherwise gets no more credit.
                stream.TakeBatch()?.Dispose();
            }

            stream.ThrowIfFailed();
            return CameObjects.Read<T, TAnswer>(method, answer, stream.Answer, stream.AnswerObjects, kept);
        }
        finally
        {
            // First, since what listens to the token may take long.
            stream.GiveUp();
            await Cancellations.CancelAsync(pumping).ConfigureAwait(false);
        }
    }
}
