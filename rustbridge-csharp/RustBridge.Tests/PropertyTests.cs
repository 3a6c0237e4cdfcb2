using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using Xunit;

namespace RustBridge.Tests;

/// <summary>What holds for every span, text and struct, tried with whatever FsCheck makes up.</summary>
public sealed class PropertyTests : IDisposable
{
    private static readonly JsonSerializerOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Plugin _conformance = TestPlugins.LoadConformance();
    private readonly Plugin _hello = TestPlugins.LoadHello();

    public void Dispose()
    {
        _conformance.Dispose();
        _hello.Dispose();
    }

    [Theory]
    [InlineData("raw.echo")]
    [InlineData("raw.leaf")]
    [InlineData("raw.shared")]
    public void Any_bytes_come_back_into_any_storage_and_nothing_else_is_written(string name)
    {
        Method method = _conformance.Method(name, PluginEncoding.Raw);
        Always(Spans(), (bytes, capacity, before) =>
        {
            var memory = new byte[before + capacity + 16];
            memory.AsSpan().Fill(0xa5);
            int length = Answered(method, bytes, memory.AsSpan(before, capacity), out byte[] response);
            return response.AsSpan().SequenceEqual(bytes)
                && memory.AsSpan(0, before).IndexOfAnyExcept((byte)0xa5) < 0
                && memory.AsSpan(before + (length < 0 ? 0 : capacity)).IndexOfAnyExcept((byte)0xa5) < 0
                && bytes.AsSpan().SequenceEqual(method.CallRawBytes(bytes));
        });
    }

    [Theory]
    [InlineData("raw.echo")]
    [InlineData("raw.leaf")]
    public void Storage_may_overlap_the_request_anyhow(string name)
    {
        Method method = _conformance.Method(name, PluginEncoding.Raw);
        Always(Spans(), (bytes, capacity, shift) =>
        {
            var memory = new byte[bytes.Length + capacity + 64];
            int at = (memory.Length - bytes.Length) / 2;
            bytes.CopyTo(memory, at);
            int start = Math.Min(shift + Math.Max(0, at - 8), memory.Length - capacity);
            Answered(method, memory.AsSpan(at, bytes.Length), memory.AsSpan(start, capacity), out byte[] response);
            return response.AsSpan().SequenceEqual(bytes);
        });
    }

    [Fact]
    public void Any_text_comes_back_and_unpaired_surrogates_are_refused()
    {
        Method value = _conformance.Method("types.value");
        Gen<char> chars = Gen.OneOf(
            Gen.Choose('\0', 0x7f).Select(code => (char)code),
            Gen.Choose('\0', 0xffff).Select(code => (char)code),
            Gen.Choose(0xd800, 0xdfff).Select(code => (char)code));
        Gen<string> texts = Gen.Sized(size => chars.ArrayOf(size * 13)).Select(array => new string(array));
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300), Prop.ForAll(texts.ToArbitrary(), text =>
        {
            string whole = new([.. text.Select((one, index) => IsPaired(text, index) ? one : '?')]);
            string json = JsonSerializer.Serialize(whole, Readable);
            bool same = JsonSerializer.Deserialize<string>(value.Call(json)) == whole;
            return same && (whole == text
                || Assert.Throws<PluginException>(() => value.Call($"\"{text}\"")).Status == Status.InvalidArgument);
        }));
    }

    [Fact]
    public void Any_two_numbers_are_added_or_their_overflow_is_told()
    {
        Method add = _hello.Method("math.add", PluginEncoding.Pod);
        Gen<long> numbers = Gen.OneOf(
            ArbMap.Default.GeneratorFor<long>(),
            Gen.Choose(-3, 3).Select(number => long.MaxValue + number),
            Gen.Choose(-3, 3).Select(number => (long)number));
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(1_000), Prop.ForAll(numbers.Two().ToArbitrary(), pair =>
        {
            (long a, long b) = (pair.Item1, pair.Item2);
            Int128 sum = (Int128)a + b;
            if (sum == (long)sum)
            {
                return add.CallRaw<Add, Sum>(new Add(a, b)).Result == (long)sum;
            }

            PluginException failure = Assert.Throws<PluginException>(() => add.CallRaw<Add, Sum>(new Add(a, b)));
            return failure.Status == Status.OutOfRange && failure.Details["a"].GetInt64() == a;
        }));
    }

    [Fact]
    public void A_struct_gives_what_its_bytes_give()
    {
        Same<PairPod, SumXor>("pod.add32", pair => new SumXor(unchecked(pair.A + pair.B), pair.A ^ pair.B));
        Same<Shape, Shape>("pod.nested", shape =>
        {
            Corners corners = default;
            (corners[0], corners[1]) = (Swapped(shape.Corners[0]), Swapped(shape.Corners[1]));
            return new Shape(Swapped(shape.Origin), corners, shape.Id);
        });
        Same<Big, BigAnswer>("pod.big", big =>
        {
            var answer = new BigAnswer { Tag = big.Tag, Count = 66 };
            for (int i = 0; i < 66; i++)
            {
                answer.Values[i] = unchecked(big.Values[i] + big.Tag);
            }

            return answer;
        });
    }

    [Fact]
    public void Bytes_of_any_other_length_than_a_structs_are_refused()
    {
        Method nested = _conformance.Method("pod.nested", PluginEncoding.Pod);
        Always(Spans(), (bytes, capacity, _) =>
        {
            var storage = new byte[capacity];
            if (bytes.Length == nested.RequestSize)
            {
                return nested.CallRawBytes(bytes).Length == nested.ResponseSize;
            }

            return Assert.Throws<PluginException>(() => nested.CallRaw(bytes, storage)).Status == Status.InvalidArgument
                && Assert.Throws<PluginException>(() => nested.CallRawBytes(bytes)).Status == Status.InvalidArgument
                && Assert.Throws<PluginException>(() => nested.CallRawZeroCopy(bytes)).Status == Status.InvalidArgument;
        });
    }

    /// <summary>Any bytes are such structs, so any bytes are tried, in each way to pass them.</summary>
    private void Same<TRequest, TResponse>(string name, Func<TRequest, TResponse> model)
        where TRequest : unmanaged
        where TResponse : unmanaged
    {
        Method method = _conformance.Method(name, PluginEncoding.Pod);
        Gen<byte[]> bytes = ArbMap.Default.GeneratorFor<byte>().ArrayOf(Marshal.SizeOf<TRequest>());
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(300), Prop.ForAll(bytes.ToArbitrary(), request =>
        {
            TRequest value = MemoryMarshal.Read<TRequest>(request);
            TResponse response = method.CallRaw<TRequest, TResponse>(in value);
            TResponse expected = model(value);
            ReadOnlySpan<byte> found = MemoryMarshal.AsBytes(new ReadOnlySpan<TResponse>(in response));
            var storage = new byte[found.Length + 3];
            return found.SequenceEqual(MemoryMarshal.AsBytes(new ReadOnlySpan<TResponse>(in expected)))
                && found.SequenceEqual(method.CallRawBytes(request))
                && method.CallRaw(request, storage) == found.Length
                && found.SequenceEqual(storage.AsSpan(0, found.Length));
        }));
    }

    private static PointPod Swapped(PointPod point) => new(point.Y, point.X);

    /// <summary>Bytes, a capacity about as large, and a small offset.</summary>
    private static Gen<(byte[] Bytes, int Capacity, int Offset)> Spans()
    {
        Gen<int> lengths = Gen.OneOf(Gen.Choose(0, 40), Gen.Choose(1_000, 1_050), Gen.Choose(65_530, 65_540), Gen.Choose(0, 5_000));
        return
            from length in lengths
            from seed in Gen.Choose(0, int.MaxValue - 1)
            from capacity in Gen.OneOf(Gen.Constant(length), Gen.Choose(Math.Max(0, length - 3), length + 3), Gen.Choose(0, 2 * length))
            from offset in Gen.Choose(0, 16)
            select (Random(length, seed), capacity, offset);
    }

    private static byte[] Random(int length, int seed)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static void Always(Gen<(byte[] Bytes, int Capacity, int Offset)> spans, Func<byte[], int, int, bool> holds) =>
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(spans.ToArbitrary(), one => holds(one.Bytes, one.Capacity, one.Offset)));

    /// <summary>Calls; the length, or -1 if the response didn't fit and is in the exception.</summary>
    private static int Answered(Method method, ReadOnlySpan<byte> request, Span<byte> storage, out byte[] response)
    {
        try
        {
            int length = method.CallRaw(request, storage);
            response = storage[..length].ToArray();
            return length;
        }
        catch (ResponseTooLargeException tooLarge)
        {
            Assert.True(tooLarge.Response.Length > storage.Length);
            response = tooLarge.Response.ToArray();
            return -1;
        }
    }

    private static bool IsPaired(string text, int index) =>
        !char.IsSurrogate(text[index])
        || (char.IsHighSurrogate(text[index]) && index + 1 < text.Length && char.IsLowSurrogate(text[index + 1]))
        || (char.IsLowSurrogate(text[index]) && index > 0 && char.IsHighSurrogate(text[index - 1]));
}
