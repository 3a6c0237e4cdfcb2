using RustBridge.Wire;

namespace RustBridge.Internal;

/// <summary>Borrows and receives objects without a type.</summary>
internal readonly struct ObjectCodec : IWireCodec<PluginObject>
{
    public static long Least => sizeof(uint);

    public static void Write(ref WireWriter writer, PluginObject value) => writer.WriteObject(value);

    public static PluginObject Read(ref WireReader reader) => reader.ReadObject();
}
