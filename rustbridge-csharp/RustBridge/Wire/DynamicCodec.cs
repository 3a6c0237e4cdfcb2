using System.Collections.Generic;
using System.ComponentModel;

namespace RustBridge.Wire;

/// <summary>The codec of self-describing values. For generated clients.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DynamicCodec : IWireCodec<DynamicValue>
{
    private const byte False = 1;
    private const byte True = 2;

    /// <inheritdoc/>
    public static long Least => 1;

    /// <inheritdoc/>
    public static void Write(ref WireWriter writer, DynamicValue value)
    {
        if (value.Kind == DynamicKind.Boolean)
        {
            writer.WritePlain(value.AsBoolean() ? True : False);
            return;
        }

        if (value.Kind is DynamicKind.List or DynamicKind.Map)
        {
            writer.Enter();
        }

        writer.WritePlain((byte)value.Kind);
        switch (value.Kind)
        {
            case DynamicKind.Integer:
                writer.WritePlain(value.AsInt64());
                break;
            case DynamicKind.LargeInteger:
                writer.WritePlain(value.AsUInt64());
                break;
            case DynamicKind.Number:
                writer.WritePlain(value.AsDouble());
                break;
            case DynamicKind.Text:
                writer.WriteText(value.AsText());
                break;
            case DynamicKind.Bytes:
                BytesCodec.Write(ref writer, value.AsBytes());
                break;
            case DynamicKind.List:
                ListCodec<DynamicValue, DynamicCodec>.Write(ref writer, value.AsList());
                writer.Leave();
                break;
            case DynamicKind.Map:
                MapCodec<string, TextCodec, DynamicValue, DynamicCodec>.Write(ref writer, value.AsMap());
                writer.Leave();
                break;
        }
    }

    /// <inheritdoc/>
    public static DynamicValue Read(ref WireReader reader)
    {
        byte kind = reader.ReadPlain<byte>();
        switch (kind)
        {
            case 0:
                return default;
            case False:
                return false;
            case True:
                return true;
            case (byte)DynamicKind.Integer:
                return reader.ReadPlain<long>();
            case (byte)DynamicKind.LargeInteger:
                ulong large = reader.ReadPlain<ulong>();
                if (large <= long.MaxValue)
                {
                    reader.Fail(reader.Position - sizeof(ulong), $"{large} fits an i64, but is encoded as a u64");
                }

                return large;
            case (byte)DynamicKind.Number:
                return reader.ReadPlain<double>();
            case (byte)DynamicKind.Text:
                return reader.ReadText();
            case (byte)DynamicKind.Bytes:
                return BytesCodec.Read(ref reader);
            case (byte)DynamicKind.List:
                reader.Enter();
                DynamicValue[] list = ListCodec<DynamicValue, DynamicCodec>.Read(ref reader);
                reader.Leave();
                return list;
            case (byte)DynamicKind.Map:
                reader.Enter();
                Dictionary<string, DynamicValue> map = MapCodec<string, TextCodec, DynamicValue, DynamicCodec>.Read(ref reader);
                reader.Leave();
                return map;
            default:
                reader.Fail(reader.Position - 1, $"unknown kind of dynamic value: {kind}");
                return default;
        }
    }
}
