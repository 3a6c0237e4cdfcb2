using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>
/// Compares a struct of ours with the layout that a plugin describes, so that a swapped or mistyped field is an error
/// when it's first used, and not wrong numbers.
/// </summary>
/// <remarks>
/// It needs reflection; without it, in NativeAOT, sizes alone are compared. What reflection can't tell for sure (fields
/// trimmed away, automatic layout inside) isn't judged.
/// </remarks>
internal static class StructLayouts
{
    /// <summary>Finds the first difference.</summary>
    /// <returns>What differs, as a clause, or null.</returns>
    [UnconditionalSuppressMessage(
        "Trimming", "IL2091", Justification = "Fields that were trimmed away show in the size, and then nothing is judged.")]
    internal static string? Difference<T>(StructDescription described)
        where T : unmanaged
    {
        int size = Unsafe.SizeOf<T>();
        if (size != described.Size)
        {
            return $"{typeof(T)} has {size} bytes, but the plugin's {described.Type} has {described.Size}";
        }

        if (!RuntimeFeature.IsDynamicCodeSupported)
        {
            return null;
        }

        if (typeof(T).IsAutoLayout)
        {
            return $"{typeof(T)} has no fixed layout; add [StructLayout(LayoutKind.Sequential)]";
        }

        var fields = new List<Leaf>();
        return Measure(typeof(T), 0, "", fields) is { } measured && measured.Size == size
            ? Compare(typeof(T), fields, described)
            : null;
    }

    private static string? Compare(Type type, List<Leaf> leaves, StructDescription described)
    {
        foreach (FieldDescription field in described.Fields)
        {
            long end = field.Offset + field.Size;
            Leaf? named = leaves.Find(leaf => leaf.Depth == 0 && Same(leaf.Name, field.Name));
            if (named is not null && (named.Offset != field.Offset || named.Size != field.Size))
            {
                return $"{type}.{named.Name} has {named.Size} bytes at offset {named.Offset}, but the plugin's "
                    + $"{described.Type}.{field.Name} has {field.Size} bytes at offset {field.Offset}";
            }

            foreach (Leaf leaf in leaves)
            {
                bool outside = leaf.Offset + leaf.Size <= field.Offset || leaf.Offset >= end;
                bool inside = leaf.Offset >= field.Offset && leaf.Offset + leaf.Size <= end;
                if (!leaf.IsPrimitive || outside)
                {
                    continue;
                }

                if (!inside)
                {
                    return $"{type}.{leaf.Name} ({leaf.Size} bytes at {leaf.Offset}) crosses a boundary in the plugin's layout "
                        + $"{described.Type}.{field.Name} ({field.Size} bytes at {field.Offset})";
                }

                if (IsScalar(field.Type) && leaf.IsFloat != field.Type[0] is 'f')
                {
                    string ours = leaf.IsFloat ? "a floating-point number" : "an integer";
                    return $"{type}.{leaf.Name} is {ours}, but the plugin's {described.Type}.{field.Name} is {field.Type}";
                }
            }
        }

        return null;
    }

    private static bool IsScalar(string type) =>
        type is "u8" or "i8" or "u16" or "i16" or "u32" or "i32" or "u64" or "i64" or "usize" or "isize" or "f32" or "f64";

    /// <summary>Whether <c>TtlSeconds</c>, <c>ttlSeconds</c> or <c>_ttl_seconds</c> is <c>ttl_seconds</c>.</summary>
    private static bool Same(string ours, string theirs) =>
        ours.Where(char.IsLetterOrDigit).Select(char.ToLowerInvariant)
            .SequenceEqual(theirs.Where(char.IsLetterOrDigit).Select(char.ToLowerInvariant));

    /// <summary>Lays a type out as the runtime does, and notes its fields; null if that can't be told.</summary>
    [UnconditionalSuppressMessage(
        "Trimming", "IL2070", Justification = "Fields that were trimmed away show in the size, and then nothing is judged.")]
    [UnconditionalSuppressMessage(
        "Trimming", "IL2075", Justification = "Fields that were trimmed away show in the size, and then nothing is judged.")]
    private static Extent? Measure(Type type, int depth, string prefix, List<Leaf> leaves)
    {
        if (Primitive(type) is { } size)
        {
            return new Extent(size, size);
        }

        StructLayoutAttribute? layout = type.StructLayoutAttribute;
        if (depth > 16 || layout is null || layout.Value == LayoutKind.Auto)
        {
            return null;
        }

        FieldInfo[] fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        Array.Sort(fields, (a, b) => a.MetadataToken.CompareTo(b.MetadataToken));
        long pack = layout.Pack == 0 ? 8 : layout.Pack;
        long offset = 0, length = 0, align = 1;
        foreach (FieldInfo field in fields)
        {
            string name = Name(field.Name);
            int first = leaves.Count;
            if (Measure(field.FieldType, depth + 1, prefix + name + ".", leaves) is not { } extent)
            {
                return null;
            }

            long aligned = Math.Min(extent.Align, pack);
            offset = layout.Value == LayoutKind.Explicit
                ? field.GetCustomAttribute<FieldOffsetAttribute>()?.Value ?? 0
                : (offset + aligned - 1) / aligned * aligned;
            for (int i = first; i < leaves.Count; i++)
            {
                leaves[i] = leaves[i] with { Offset = leaves[i].Offset + offset };
            }

            int count = type.GetCustomAttribute<InlineArrayAttribute>()?.Length ?? 1;
            bool primitive = Primitive(field.FieldType) is not null;
            for (int i = 0; i < count; i++)
            {
                leaves.Add(new Leaf(prefix + name, offset + (i * extent.Size), extent.Size, depth, primitive, IsFloat(field.FieldType)));
            }

            offset += extent.Size * count;
            length = Math.Max(length, offset);
            align = Math.Max(align, aligned);
        }

        // A fixed buffer is a struct with one field and an explicit size.
        return new Extent(Math.Max((length + align - 1) / align * align, layout.Size), align);
    }

    private static long? Primitive(Type type)
    {
        if (type.IsPointer || type.IsFunctionPointer)
        {
            return nint.Size;
        }

        if (type.IsEnum)
        {
            type = Enum.GetUnderlyingType(type);
        }

        if (type == typeof(nint) || type == typeof(nuint))
        {
            return nint.Size;
        }

        return Type.GetTypeCode(type) switch
        {
            TypeCode.Boolean or TypeCode.SByte or TypeCode.Byte => 1,
            TypeCode.Char or TypeCode.Int16 or TypeCode.UInt16 => 2,
            TypeCode.Int32 or TypeCode.UInt32 or TypeCode.Single => 4,
            TypeCode.Int64 or TypeCode.UInt64 or TypeCode.Double => 8,
            _ => null,
        };
    }

    private static bool IsFloat(Type type) => type == typeof(float) || type == typeof(double);

    /// <summary>The property's name, for a field that the compiler has made for one.</summary>
    private static string Name(string field)
    {
        int end = field.IndexOf('>', StringComparison.Ordinal);
        return field.StartsWith('<') && end > 1 ? field[1..end] : field;
    }

    private sealed record Leaf(string Name, long Offset, long Size, int Depth, bool IsPrimitive, bool IsFloat);

    private readonly record struct Extent(long Size, long Align);
}
