using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// A prepared method: a method of one instance in one encoding, resolved once, for example for a hot loop.
/// <see cref="Plugin.Method(string, PluginEncoding)"/> creates it.
/// </summary>
/// <remarks>
/// <para>
/// Any number of threads may use it at the same time. A call runs on the caller's thread. If a call fails, it throws
/// <see cref="PluginException"/>, with <see cref="Status.Unavailable"/> if the instance is closed.
/// </para>
/// <para>
/// The bytes of a request are copied before the plugin sees them, since other threads may write to them. Methods whose
/// names end in <c>Unshared</c> save the copy: the caller promises that no one writes to the request until the call
/// returns.
/// </para>
/// </remarks>
public sealed unsafe partial class Method
{
    /// <summary>
    /// The flag for memory to which no one else can write: a stack's, a rented array, or memory for which the caller
    /// promises it.
    /// </summary>
    private const uint Unshared = 0;

    private readonly ulong _instance;
    private readonly uint _entry;
    private readonly bool _hasServices;

    /// <summary>
    /// The maximum size of request and buffer for native calls that delay the garbage collector; -1 if no call may, not
    /// even an empty one.
    /// </summary>
    private readonly int _leafLimit;

    /// <summary>The maximum buffer size that is kept for responses.</summary>
    private readonly int _bufferLimit;

    /// <summary>
    /// The buffer size for responses: initially the core's hint, then increased by longer responses. A race only causes
    /// a callee-allocated response.
    /// </summary>
    private int _storage;

    /// <summary>
    /// The length of the last response that became an array and didn't fit on the stack. Many methods return responses
    /// of the same length, such as images of one size.
    /// </summary>
    private int _lastLong;

    /// <summary>
    /// The expected length of the next such response, if the last two had the same length; 0 if they differed. A race only
    /// causes another copy of a response.
    /// </summary>
    private int _expected;

    /// <summary>The last pair of structs whose sizes and layouts were compared with the plugin's.</summary>
    private Type? _verified;

    internal Method(Plugin plugin, string name, uint? id, in RbMethod prepared)
    {
        Plugin = plugin;
        Name = name;
        Id = id;
        Encoding = (PluginEncoding)prepared.Encoding;
        _instance = plugin.Handle;
        _entry = prepared.Entry;
        _hasServices = plugin.HasServices;
        IsLeaf = (prepared.Flags & Rb.MethodLeaf) != 0;
        IsAsync = (prepared.Flags & Rb.MethodAsync) != 0;
        IsStreamOut = (prepared.Flags & Rb.MethodStreamOut) != 0;
        IsStreamIn = (prepared.Flags & Rb.MethodStreamIn) != 0;
        ReturnsObjects = (prepared.Flags & Rb.MethodObjects) != 0;
        RequestSize = checked((int)prepared.RequestSize);
        ResponseSize = checked((int)prepared.ResponseSize);
        _leafLimit = IsLeaf ? (int)Math.Min(prepared.LeafLimit, int.MaxValue) : -1;
        _storage = (int)Math.Min(prepared.BufferSize, Array.MaxLength);
        _bufferLimit = (int)Math.Min(prepared.BufferLimit, (ulong)Array.MaxLength);
    }

    /// <summary>The instance to which the method belongs.</summary>
    public Plugin Plugin { get; }

    /// <summary>The method's name. For a method prepared by its numeric ID, the number in decimal.</summary>
    public string Name { get; }

    /// <summary>The encoding for which the method was prepared.</summary>
    public PluginEncoding Encoding { get; }

    /// <summary>
    /// Whether this is a leaf method: its author declared it short, non-blocking and free of callbacks, so the cheapest
    /// kind of native call is used.
    /// </summary>
    public bool IsLeaf { get; }

    /// <summary>Whether the handler is asynchronous. A synchronous call blocks until it completes.</summary>
    public bool IsAsync { get; }

    /// <summary>
    /// Whether the method sends a stream of items, which <c>StreamAsync</c> and <c>ExchangeAsync</c> return.
    /// </summary>
    public bool IsStreamOut { get; }

    /// <summary>
    /// Whether the method accepts a stream of items, which <c>SendAsync</c> and <c>ExchangeAsync</c> send.
    /// </summary>
    public bool IsStreamIn { get; }

    /// <summary>Whether the response may have objects. If so, call the method with options or asynchronously.</summary>
    public bool ReturnsObjects { get; }

    /// <summary>
    /// The request struct's size in bytes; 0 unless the encoding is <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    public int RequestSize { get; }

    /// <summary>
    /// The response struct's size in bytes; 0 unless the encoding is <see cref="PluginEncoding.Pod"/>.
    /// </summary>
    public int ResponseSize { get; }

    /// <summary>The numeric ID by which the method was prepared; null if it was prepared by name.</summary>
    internal uint? Id { get; }

    /// <summary>Returns the name and encoding as text.</summary>
    /// <returns>For example <c>math.add (Pod, leaf)</c>.</returns>
    public override string ToString() => $"{Name} ({Encoding}{(IsLeaf ? ", leaf" : "")})";

    /// <summary>Makes the native call with memory that is pinned already.</summary>
    /// <param name="shared"><see cref="Rb.EntryShared"/> if others may write to the request, or 0.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestLength">Its length.</param>
    /// <param name="storage">The buffer for the response.</param>
    /// <param name="capacity">The buffer's size.</param>
    /// <returns>What <c>rb_call_into</c> returns.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Invoke(uint shared, byte* request, int requestLength, byte* storage, int capacity) =>
        Math.Max(requestLength, capacity) <= _leafLimit
            ? Native.CallIntoLeaf(
                _instance, _entry | Rb.EntryLeaf | shared, request, (nuint)requestLength, storage, (nuint)capacity)
            : InvokeOrdinary(_instance, _entry | shared, request, (nuint)requestLength, storage, (nuint)capacity);

    /// <summary>
    /// Not inlined: a method with an ordinary native call in it sets up a frame for the garbage collector first thing,
    /// also when the branch for leaf methods is taken.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long InvokeOrdinary(
        ulong instance, uint entry, byte* request, nuint requestLength, byte* storage, nuint capacity) =>
        Native.CallInto(instance, entry, request, requestLength, storage, capacity);

    /// <summary>
    /// Records the length of a response that didn't fit into its buffer, so that the next one of that length does.
    /// </summary>
    private void Remember(int length)
    {
        uint wanted = BitOperations.RoundUpToPowerOf2((uint)length);
        if (wanted > (uint)_storage && wanted <= (uint)_bufferLimit)
        {
            _storage = (int)wanted;
        }
    }
}
