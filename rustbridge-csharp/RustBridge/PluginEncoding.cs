namespace RustBridge;

/// <summary>How a method's request and response are laid out as bytes.</summary>
public enum PluginEncoding
{
    /// <summary>JSON text in UTF-8.</summary>
    Json = 0,

    /// <summary>Bytes without a meaning that rustbridge knows of.</summary>
    Raw = 1,

    /// <summary>One C struct of fixed size; <see cref="Plugin.Describe"/> gives its layout.</summary>
    Pod = 2,

    /// <summary>MessagePack, structs as maps.</summary>
    MsgPack = 3,

    /// <summary>The bincode 2 format in its standard configuration.</summary>
    Bincode = 4,

    /// <summary>The postcard 1 format.</summary>
    Postcard = 5,

    /// <summary>Typed values without names, as <c>docs/wire.md</c> specifies: what generated clients speak.</summary>
    Wire = 6,
}
