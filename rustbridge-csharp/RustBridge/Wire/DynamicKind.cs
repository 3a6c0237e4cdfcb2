using System.Diagnostics.CodeAnalysis;

namespace RustBridge.Wire;

/// <summary>
/// The kind of a <see cref="DynamicValue"/>. The numbers are those in docs/wire.md, except for <see cref="Boolean"/>.
/// </summary>
[SuppressMessage("Naming", "CA1720:Identifiers should not contain type names", Justification = "these are names of types")]
public enum DynamicKind
{
    /// <summary>Null.</summary>
    Null = 0,

    /// <summary>True or false.</summary>
    Boolean = 1,

    /// <summary>An integer that fits into a <see cref="long"/>.</summary>
    Integer = 3,

    /// <summary>An integer above <see cref="long.MaxValue"/> that fits into a <see cref="ulong"/>.</summary>
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
