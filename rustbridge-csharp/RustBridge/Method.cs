using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using RustBridge.Internal;

namespace RustBridge;

/// <summary>
/// A method of one instance in one encoding, resolved once: what a hot loop uses.
/// <see cref="Plugin.Method(string, PluginEncoding)"/> makes it.
/// </summary>
/// <remarks>
/// It may be used from any number of threads at once. A call runs on the caller's thread. Bytes of a request are copied before the
/// plugin sees them, since other threads may write to them; who calls by a name that ends in <c>Unshared</c> promises that nobody does
/// before the call returns, and saves the copy. Every call throws <see cref="PluginException"/> when it fails, with
/// <see cref="Status.Unavailable"/> when the instance is closed.
/// </remarks>
public sealed unsafe partial class Method
{
    /// <summary>For memory that nobody else can write to: a stack's, a pool's while it's rented, or what the caller promises it of.</summary>
    private const uint Unshared = 0;

    private readonly ulong _instance;
    private readonly uint _entry;
    private readonly bool _hasServices;

    /// <summary>
    /// The most bytes, of request or storage, that go by the call that holds off the garbage collector; -1 if none do,
    /// not even an empty one.
    /// </summary>
    private readonly int _leafLimit;

    /// <summary>The most storage that is kept for responses.</summary>
    private readonly int _bufferLimit;

    /// <summary>
    /// How much storage a response gets: at first what the core says, then what one was too long for. Races only cost a
    /// response that is handed over.
    /// </summary>
    private int _storage;

    /// <summary>
    /// How long the last response was that became an array and didn't fit on the stack. Many methods answer alike each time, with an image of one
    /// size or rows of one number.
    /// </summary>
    private int _lastLong;

    /// <summary>
    /// How long the next one will be if it's like the last two; 0 if they differed. Races only cost a response that is copied once more.
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
        IsLeaf = (prepared.Flags & RbMethod.Leaf) != 0;
        IsAsync = (prepared.Flags & RbMethod.Async) != 0;
        GivesItems = (prepared.Flags & RbMethod.StreamOut) != 0;
        TakesItems = (prepared.Flags & RbMethod.StreamIn) != 0;
        GivesObjects = (prepared.Flags & RbMethod.Objects) != 0;
        RequestSize = checked((int)prepared.RequestSize);
        ResponseSize = checked((int)prepared.ResponseSize);
        _leafLimit = IsLeaf ? (int)Math.Min(prepared.LeafLimit, int.MaxValue) : -1;
        _storage = (int)Math.Min(prepared.Storage, Array.MaxLength);
        _bufferLimit = (int)Math.Min(prepared.BufferLimit, (ulong)Array.MaxLength);
    }

    /// <summary>The instance it belongs to.</summary>
    public Plugin Plugin { get; }

    /// <summary>The method's name, or the number in decimal for one prepared by its numeric id.</summary>
    public string Name { get; }

    /// <summary>The encoding it was prepared in.</summary>
    public PluginEncoding Encoding { get; }

    /// <summary>
    /// Whether its author declared it short, non-blocking and free of callbacks, so that calls take the cheapest way.
    /// </summary>
    public bool IsLeaf { get; }

    /// <summary>Whether its handler is asynchronous; calling it blocks until it's done.</summary>
    public bool IsAsync { get; }

    /// <summary>Whether it answers with a stream of items, as <c>StreamAsync</c> and <c>ExchangeAsync</c> give it.</summary>
    public bool GivesItems { get; }

    /// <summary>Whether it takes a stream of items, as <c>SendAsync</c> and <c>ExchangeAsync</c> send it.</summary>
    public bool TakesItems { get; }

    /// <summary>Whether objects may come with its answer. It's to be called with options then, or awaited.</summary>
    public bool GivesObjects { get; }

    /// <summary>Bytes of the request struct; 0 unless the encoding is <see cref="PluginEncoding.Pod"/>.</summary>
    public int RequestSize { get; }

    /// <summary>Bytes of the response struct; 0 unless the encoding is <see cref="PluginEncoding.Pod"/>.</summary>
    public int ResponseSize { get; }

    /// <summary>The numeric id it was prepared by, if it was.</summary>
    internal uint? Id { get; }

    /// <summary>Gives name and encoding.</summary>
    /// <returns>For example <c>math.add (Pod, leaf)</c>.</returns>
    public override string ToString() => $"{Name} ({Encoding}{(IsLeaf ? ", leaf" : "")})";

    /// <summary>Makes the call with what is pinned already.</summary>
    /// <param name="shared"><see cref="RbMethod.EntryShared"/> if others may write to the request, or 0.</param>
    /// <param name="request">The request.</param>
    /// <param name="requestLength">Its length.</param>
    /// <param name="storage">Where the response goes.</param>
    /// <param name="capacity">The storage's length.</param>
    /// <returns>What <c>rb_call_into</c> returns.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Invoke(uint shared, byte* request, int requestLength, byte* storage, int capacity) =>
        Math.Max(requestLength, capacity) <= _leafLimit
            ? Native.CallIntoLeaf(
                _instance, _entry | RbMethod.EntryLeaf | shared, request, (nuint)requestLength, storage, (nuint)capacity)
            : InvokeOrdinary(_instance, _entry | shared, request, (nuint)requestLength, storage, (nuint)capacity);

    /// <summary>
    /// Not inlined: a method with an ordinary native call in it sets up a frame for the garbage collector first thing,
    /// also when the branch for leaf methods is taken.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long InvokeOrdinary(
        ulong instance, uint entry, byte* request, nuint requestLength, byte* storage, nuint capacity) =>
        Native.CallInto(instance, entry, request, requestLength, storage, capacity);

    /// <summary>Notes a response that was longer than its storage, so that the next one like it fits.</summary>
    private void Remember(int length)
    {
        uint wanted = BitOperations.RoundUpToPowerOf2((uint)length);
        if (wanted > (uint)_storage && wanted <= (uint)_bufferLimit)
        {
            _storage = (int)wanted;
        }
    }
}
