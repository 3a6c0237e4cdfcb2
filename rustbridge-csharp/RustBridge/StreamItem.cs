using System;
using System.Collections.Generic;

namespace RustBridge;

/// <summary>An item of a stream as bytes.</summary>
/// <param name="Bytes">The bytes, valid until the next item is asked for.</param>
/// <param name="Objects">Its objects, in the order in which it speaks of them; each is the caller's, to be disposed of.</param>
public readonly record struct StreamItem(ReadOnlyMemory<byte> Bytes, IReadOnlyList<PluginObject> Objects);
