using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks;

namespace RustBridge.Benchmarks;

/// <summary>
/// Calls that end later, by hand: each has a <see cref="TaskCompletionSource{T}"/>, and a <see cref="GCHandle"/> by which the thread that completes it finds
/// that again.
/// </summary>
internal static unsafe class LaterByHand
{
    internal static int Plain(Number request)
    {
        int answer;
        nuint length;
        Floor.Check(Floor.Plain(null, 0, (byte*)&request, 4, (byte*)&answer, 4, &length));
        return answer;
    }

    internal static Task<int> Begin(Number request)
    {
        TaskCompletionSource<int> source = Source(out Callback callback);
        Floor.Check(Floor.Later((byte*)&callback, 0, (byte*)&request, 4, null, 0, null));
        return source.Task;
    }

    internal static (Task<int> Task, nint Abort) Never()
    {
        TaskCompletionSource<int> source = Source(out Callback callback);
        nint abort;
        Floor.Check(Floor.Never((byte*)&callback, 0, null, 0, (byte*)&abort, (nuint)sizeof(nint), null));
        return (source.Task, abort);
    }

    internal static void Abort(nint task) => Floor.Check(Floor.Abort((byte*)task, 0, null, 0, null, 0, null));

    private static TaskCompletionSource<int> Source(out Callback callback)
    {
        // Whoever awaits goes on elsewhere: the runtime's thread is the plugin's.
        var source = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        callback = new Callback(&Told, GCHandle.ToIntPtr(GCHandle.Alloc(source)));
        return source;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Told(nint data, int status, int value)
    {
        GCHandle handle = GCHandle.FromIntPtr(data);
        var source = (TaskCompletionSource<int>)handle.Target!;
        handle.Free();
        source.SetResult(status == 0 ? value : -1);
    }

    /// <summary>Whom to tell of an end, as <c>benches/floor</c> has it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private readonly struct Callback(delegate* unmanaged[Cdecl]<nint, int, int, void> done, nint data)
    {
        private readonly delegate* unmanaged[Cdecl]<nint, int, int, void> _done = done;
        private readonly nint _data = data;
    }
}
