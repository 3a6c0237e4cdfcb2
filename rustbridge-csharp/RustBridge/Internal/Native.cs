using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>
/// The functions of <c>rustbridge.h</c>, and the only place that declares them. <see cref="NativeLibraryLoader.Ensure"/>
/// comes before the first of them.
/// </summary>
/// <remarks>
/// Static P/Invokes with blittable arguments: the JIT compiles them in place, without a stub. This class has no static
/// fields, since a class constructor would be checked for at each call.
/// </remarks>
internal static unsafe partial class Native
{
    /// <summary>The name that <see cref="NativeLibraryLoader"/> resolves.</summary>
    internal const string Library = "rustbridge";

    [LibraryImport(Library, EntryPoint = "rb_abi_version")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial uint AbiVersion();

    [LibraryImport(Library, EntryPoint = "rb_version")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial byte* Version();

    [LibraryImport(Library, EntryPoint = "rb_load")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Load(RbLoadOptions* options, ulong* instance, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_name")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Name(ulong instance, RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_describe")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Describe(ulong instance, RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_describe_plugin")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int DescribePlugin(RbLoadOptions* options, RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_prepare")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Prepare(ulong instance, RbText method, uint encoding, RbMethod* prepared, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_prepare_id")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int PrepareId(ulong instance, uint id, uint encoding, RbMethod* prepared, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_prepare_typed")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int PrepareTyped(
        ulong instance, RbText method, RbText fingerprint, RbText clientSchema, RbMethod* prepared, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_call_into")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial long CallInto(
        ulong instance, uint entry, byte* request, nuint requestLen, byte* storage, nuint capacity);

    /// <summary>
    /// The same for leaf methods, whose authors promise what this kind of call needs: the garbage collector waits until
    /// it returns, so it may neither block nor call back. With <see cref="Rb.EntryLeaf"/> in the entry, the core
    /// makes sure that the promise was given.
    /// </summary>
    [LibraryImport(Library, EntryPoint = "rb_call_into")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl), typeof(CallConvSuppressGCTransition)])]
    internal static partial long CallIntoLeaf(
        ulong instance, uint entry, byte* request, nuint requestLen, byte* storage, nuint capacity);

    [LibraryImport(Library, EntryPoint = "rb_call_result_release")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial void OutcomeRelease(RbCallResult* outcome);

    [LibraryImport(Library, EntryPoint = "rb_response_release")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial void ResponseRelease(RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_state")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int State(ulong instance, uint* state, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_close")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Close(ulong instance, ulong timeoutMs, RbResponse* report);

    [LibraryImport(Library, EntryPoint = "rb_log_set_level")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int LogSetLevel(ulong instance, uint level, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_log_set_sink")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int LogSetSink(ulong instance, RbLogSink* sink, ulong timeoutMs, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_log_flush")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int LogFlush(ulong instance, ulong timeoutMs, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_inspect")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Inspect(RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_close_with")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int CloseWith(ulong instance, RbCloseOptions* options, RbResponse* report);

    [LibraryImport(Library, EntryPoint = "rb_call_with")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int CallWith(
        ulong instance, uint entry, RbCallContext* header, ulong* op, byte* request, nuint requestLen, RbResponse* response);

    [LibraryImport(Library, EntryPoint = "rb_queue_new")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int QueueNew(ulong* queue, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_queue_poll")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int QueuePoll(
        ulong queue, RbEvent* events, nuint capacity, byte* arena, nuint arenaLen, ulong timeoutMs, nuint* count, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_submit")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Submit(ulong queue, RbSubmission* submissions, nuint count);

    [LibraryImport(Library, EntryPoint = "rb_op_cancel")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int OpCancel(ulong op, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_op_detach")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int OpDetach(ulong op, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_op_demand")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int OpDemand(ulong op, ulong items, ulong bytes, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_op_write")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int OpWrite(ulong op, RbBatch* batch, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_op_end")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int OpEnd(ulong op, int status, byte* payload, nuint payloadLen, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_object_release")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int ObjectRelease(ulong instanceObject);

    [LibraryImport(Library, EntryPoint = "rb_service_defer")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int ServiceDefer(RbServiceCall* call, ulong* number, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_service_reply")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int ServiceReply(ulong number, int status, byte* payload, nuint payloadLen, RbResponse* error);

    [LibraryImport(Library, EntryPoint = "rb_respond")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial int Respond(RbResponse* response, byte* data, nuint len);

    [LibraryImport(Library, EntryPoint = "rb_status_name")]
    [UnmanagedCallConv(CallConvs = [typeof(CallConvCdecl)])]
    internal static partial byte* StatusName(int status);
}
