using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using RustBridge.Benchmarks.Clients;

namespace RustBridge.Benchmarks;

/// <summary>
/// Typed calls by hand: the client's own classes, laid out for these very calls, with what a careful person checks. The
/// memory for requests and responses is kept, for the use of one thread.
/// </summary>
internal sealed unsafe class TypedFloor
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private byte[] _sent = [];
    private byte[] _came = [];
    private byte* _request;
    private byte* _response;

    internal TypedFloor() => Reserve(4096);

    internal Greeting Greet(Person person)
    {
        string name = person.Name;
        Reserve(name.Length);
        nuint length;
        Floor.Check(Floor.Greet(null, 0, _request, (nuint)Put(0, name), _response, (nuint)_came.Length, &length));
        int end = 0;
        var greeting = new Greeting(Text(ref end, (int)length));
        Ended(end, (int)length);
        return greeting;
    }

    internal Reading NextReading(Reading reading)
    {
        byte* to = _request;
        Unsafe.WriteUnaligned(to, reading.Instrument);
        Unsafe.WriteUnaligned(to + 4, reading.At);
        Unsafe.WriteUnaligned(to + 12, reading.Low);
        Unsafe.WriteUnaligned(to + 20, reading.High);
        Unsafe.WriteUnaligned(to + 28, reading.Weight);
        Unsafe.WriteUnaligned(to + 32, reading.Count);
        nuint length;
        byte* from = _response;
        Floor.Check(Floor.NextReading(null, 0, to, 34, from, (nuint)_came.Length, &length));
        Ended(34, (int)length);
        return new Reading(
            Unsafe.ReadUnaligned<uint>(from),
            Unsafe.ReadUnaligned<long>(from + 4),
            Unsafe.ReadUnaligned<double>(from + 12),
            Unsafe.ReadUnaligned<double>(from + 20),
            Unsafe.ReadUnaligned<float>(from + 28),
            Unsafe.ReadUnaligned<ushort>(from + 32));
    }

    internal Item[] Discount(Item[] items)
    {
        int at = 4;
        Unsafe.WriteUnaligned(_request, (uint)items.Length);
        foreach (Item item in items)
        {
            Reserve(at + item.Name.Length);
            Unsafe.WriteUnaligned(_request + at, item.Number);
            at = Put(at + 4, item.Name);
            Unsafe.WriteUnaligned(_request + at, item.Price);
            at += 8;
        }

        nuint length;
        Floor.Check(Floor.Discount(null, 0, _request, (nuint)at, _response, (nuint)_came.Length, &length));
        int end = (int)length;
        int count = (int)Unsafe.ReadUnaligned<uint>(_response);
        Ended(Math.Min(count, (end - 4) / 16), count);
        var found = new Item[count];
        at = 4;
        for (int i = 0; i < found.Length; i++)
        {
            Within(at + 4, end);
            uint number = Unsafe.ReadUnaligned<uint>(_response + at);
            at += 4;
            string name = Text(ref at, end);
            Within(at + 8, end);
            found[i] = new Item(number, name, Unsafe.ReadUnaligned<double>(_response + at));
            at += 8;
        }

        Ended(at, end);
        return found;
    }

    internal Clients.Shape Around(Clients.Shape shape)
    {
        int size = Put(shape);
        nuint length;
        byte* from = _response;
        Floor.Check(Floor.Around(null, 0, _request, (nuint)size, from, (nuint)_came.Length, &length));
        int end = (int)length;
        Within(2, end);
        switch (Unsafe.ReadUnaligned<ushort>(from))
        {
            case 0:
                Ended(10, end);
                return new Clients.Shape.Circle(Unsafe.ReadUnaligned<double>(from + 2));
            case 1:
                Ended(18, end);
                return new Clients.Shape.Rectangle(Unsafe.ReadUnaligned<double>(from + 2), Unsafe.ReadUnaligned<double>(from + 10));
            case 2:
                int at = 2;
                var label = new Clients.Shape.Label(Text(ref at, end));
                Ended(at, end);
                return label;
            default:
                throw Wrong();
        }
    }

    internal double[] Twice(double[] numbers)
    {
        int size = 8 + (numbers.Length * sizeof(double));
        Reserve(size);
        Unsafe.WriteUnaligned(_request, (ulong)numbers.Length);
        numbers.CopyTo(new Span<double>(_request + 8, numbers.Length));
        nuint length;
        Floor.Check(Floor.Twice(null, 0, _request, (nuint)size, _response, (nuint)_came.Length, &length));
        ulong count = Unsafe.ReadUnaligned<ulong>(_response);
        Ended(size, (int)length);
        Ended(numbers.Length, (int)count);
        double[] found = GC.AllocateUninitializedArray<double>((int)count);
        new ReadOnlySpan<double>(_response + 8, found.Length).CopyTo(found);
        return found;
    }

    private int Put(Clients.Shape shape)
    {
        switch (shape)
        {
            case Clients.Shape.Circle circle:
                Unsafe.WriteUnaligned(_request, (ushort)0);
                Unsafe.WriteUnaligned(_request + 2, circle.Radius);
                return 10;
            case Clients.Shape.Rectangle rectangle:
                Unsafe.WriteUnaligned(_request, (ushort)1);
                Unsafe.WriteUnaligned(_request + 2, rectangle.Width);
                Unsafe.WriteUnaligned(_request + 10, rectangle.Height);
                return 18;
            case Clients.Shape.Label label:
                Reserve(label.Text.Length);
                Unsafe.WriteUnaligned(_request, (ushort)2);
                return Put(2, label.Text);
            default:
                throw Wrong();
        }
    }

    /// <summary>Writes a text, for which there's room.</summary>
    private int Put(int at, string text)
    {
        int size = Strict.GetBytes(text, new Span<byte>(_request + at + 4, _sent.Length - at - 4));
        Unsafe.WriteUnaligned(_request + at, (uint)size);
        return at + 4 + size;
    }

    private string Text(ref int at, int end)
    {
        Within(at + 4, end);
        uint size = Unsafe.ReadUnaligned<uint>(_response + at);
        at += 4;
        if (size > (uint)(end - at))
        {
            throw Wrong();
        }

        string text = Strict.GetString(_response + at, (int)size);
        at += (int)size;
        return text;
    }

    private static void Within(int needed, int end)
    {
        if (needed > end)
        {
            throw Wrong();
        }
    }

    private static void Ended(int at, int end)
    {
        if (at != end)
        {
            throw Wrong();
        }
    }

    private static InvalidOperationException Wrong() => new("the bare call's answer isn't as it should be");

    /// <summary>Makes room for so many letters, each of up to three bytes, and what goes around them; what is there stays.</summary>
    private void Reserve(int letters)
    {
        int needed = (3 * letters) + 64;
        if (needed <= _sent.Length)
        {
            return;
        }

        byte[] sent = GC.AllocateUninitializedArray<byte>(2 * needed, pinned: true);
        _sent.CopyTo(sent, 0);
        _sent = sent;
        _came = GC.AllocateUninitializedArray<byte>(2 * needed, pinned: true);
        _request = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_sent));
        _response = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_came));
    }
}
