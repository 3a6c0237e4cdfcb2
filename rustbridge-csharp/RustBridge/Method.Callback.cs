using System;
using RustBridge.Internal;
using RustBridge.Wire;

namespace RustBridge;

/// <content>The calls that pass objects of the host.</content>
public sealed unsafe partial class Method
{
    /// <summary>Calls a method that creates an object from a number.</summary>
    internal PluginObject CreateObject(ulong number) =>
        CallLending<PluginObject, WireAnswer<PluginObject, ObjectCodec>>(Unshared, BytesOf(in number), default, [], null);

    /// <summary>Calls a method of an object that returns a number.</summary>
    internal ulong NumberOf(PluginObject receiver)
    {
        ulong borrowed = receiver.Number;
        ulong number = CallLending<ulong, WireAnswer<ulong, PlainCodec<ulong>>>(
            Unshared, default, default, new ReadOnlySpan<ulong>(in borrowed), null);
        GC.KeepAlive(receiver);
        return number;
    }
}
