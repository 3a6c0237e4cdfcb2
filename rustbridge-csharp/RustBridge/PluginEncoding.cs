namespace RustBridge;

/// <summary>The encoding of a method's request and response.</summary>
public enum PluginEncoding
{
    /// <summary>JSON text in UTF-8.</summary>
    Json = 0,

    /// <summary>Bytes whose structure rustbridge doesn't know.</summary>
    Raw = 1,

    /// <summary>A C struct of fixed size; <see cref="Plugin.Describe"/> returns its layout.</summary>
    Pod = 2,

    /// <summary>MessagePack, with structs as maps.</summary>
    MsgPack = 3,

    /// <summary>The bincode 2 format in its standard configuration.</summary>
    Bincode = 4,

    /// <summary>The postcard 1 format.</summary>
    Postcard = 5,

    /// <summary>Typed values without names, as <c>docs/wire.md</c> specifies, for generated clients.</summary>
    Wire = 6,
}
