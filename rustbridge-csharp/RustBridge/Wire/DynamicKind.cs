using System.Diagnostics.CodeAnalysis;

namespace RustBridge.Wire;

/// <summary>What a <see cref="DynamicValue"/> is. The numbers are those of docs/wire.md, but for <see cref="Boolean"/>.</summary>
[SuppressMessage("Naming", "CA1720:Identifiers should not contain type names", Justification = "these are names of types")]
public enum DynamicKind
{
    /// <summary>Nothing.</summary>
    Null = 0,

    /// <summary>True or false.</summary>
    Boolean = 1,

    /// <summary>An integer that a <see cref="long"/> holds.</summary>
    Integer = 3,

    /// <summary>An integer above <see cref="long.MaxValue"/> that a <see cref="ulong"/> holds.</summary>
    LargeInteger = 4,

    /// <summary>A number with a fraction.</summary>
    Number = 5,

    /// <summary>Text.</summary>
    Text = 6,

    /// <summary>Bytes.</summary>
    Bytes = 7,

    /// <summary>A list of dynamic values.</summary>
    List = 8,

    /// <summary>Dynamic values by name.</summary>
    Map = 9,
}
