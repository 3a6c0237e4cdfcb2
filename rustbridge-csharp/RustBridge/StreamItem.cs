using System;
using System.Collections.Generic;

namespace RustBridge;

/// <summary>An item of a stream as bytes.</summary>
/// <param name="Bytes">The bytes, valid until the next item is requested.</param>
/// <param name="Objects">
/// The item's objects, in the order in which the bytes refer to them. The caller owns each and must dispose of it.
/// </param>
public readonly record struct StreamItem(ReadOnlyMemory<byte> Bytes, IReadOnlyList<PluginObject> Objects);
