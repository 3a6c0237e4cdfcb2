// The judge says when objects are released, not the collector.
#pragma warning disable CA1816
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using RustBridge.Internal;

namespace RustBridge.Tests.Conformance;

/// <summary>
/// The testee in C#: does what the judge of the conformance cases tells it, and says what came of it. <c>conformance/protocol.md</c>
/// has both sides of that.
/// </summary>
internal sealed class Testee(BinaryReader commands, Stream results)
{
    /// <summary>What storage has when a case says nothing: larger than most responses, and too small for some.</summary>
    private const int Ordinary = 70_000;

    private const int Breach = int.MinValue;

    private readonly Dictionary<byte, Plugin> _plugins = [];
    private readonly Dictionary<byte, ConcurrentQueue<LogRecord>> _records = [];
    private readonly List<(Method Method, bool ByName)> _methods = [];
    private readonly Dictionary<byte, BegunCall> _calls = [];
    private readonly Dictionary<byte, OfferedServices> _services = [];

    /// <summary>Runs until there are no more commands.</summary>
    /// <returns>0.</returns>
    internal static int Run()
    {
        using var commands = new BinaryReader(new BufferedStream(Console.OpenStandardInput(), 1 << 16));
        using var results = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
        // Whatever else is printed must not get between the results.
        Console.SetOut(Console.Error);
        new Testee(commands, results).Serve();
        return 0;
    }

    private void Serve()
    {
        while (Letter() is { } letter)
        {
            Func<byte[]> act = Command(letter);
            try
            {
                Give(letter, 0, act());
            }
            catch (PluginException failure)
            {
                Give(letter, (int)failure.Status, Fields(failure));
            }
            catch (Exception problem)
            {
                Give(letter, Breach, Utf8(problem.ToString()));
            }
        }
    }

    /// <summary>Reads a command whole, so that whatever it leads to, the next one begins where it ends.</summary>
    private Func<byte[]> Command(char letter)
    {
        if (letter == 'H')
        {
            return Hello;
        }

        byte number = commands.ReadByte();
        switch (letter)
        {
            case 'L':
                return Load(number);
            case 'P':
                string name = Text();
                return Prepare(byName: true, encoding => _plugins[number].Method(name, encoding));
            case 'I':
                uint id = commands.ReadUInt32();
                return Prepare(byName: false, encoding => _plugins[number].Method(id, encoding));
            case 'C':
                return Call();
            case 'X':
                var timeout = TimeSpan.FromMilliseconds(commands.ReadUInt64());
                return () => Nothing(() => _plugins[number].Close(timeout));
            case 'S':
                return () => Utf8(JsonNamingPolicy.SnakeCaseLower.ConvertName($"{_plugins[number].State}"));
            case 'V':
                PluginLogLevel level = Level();
                return () => Nothing(() => _plugins[number].LogLevel = level);
            case 'F':
                return () => Flush(number);
            case 'D':
                return () => Drop(number);
            case 'W':
                return Begin(number);
            case 'E':
                byte told = commands.ReadByte();
                ulong wait = commands.ReadUInt64();
                return () => _calls[told].Next(wait);
            case 'K' or 'G' or 'N' or 'T' or 'Z':
                return Act(letter, commands.ReadByte());
            case 'O':
                ulong released = commands.ReadUInt64();
                return () => Checked(Native.ObjectRelease(released), default);
            case 'R':
                return Register(number);
            case 'Y':
                var whole = TimeSpan.FromMilliseconds(commands.ReadUInt64());
                var cancelAfter = TimeSpan.FromMilliseconds(commands.ReadUInt64());
                return () => Nothing(() => _plugins[number].Close(whole, cancelAfter));
            case 'A':
                return () => _services.TryGetValue(number, out OfferedServices? asked) ? asked.Asked() : [];
            default:
                throw new InvalidDataException($"unknown command {letter}");
        }
    }

    private static byte[] Hello()
    {
        var hello = new StringWriter { NewLine = "\n" };
        hello.WriteLine("protocol 1");
        hello.WriteLine("host csharp/pinvoke");
        foreach (string need in (string[])["header", "operations", "services", "objects", "offload", "exceptions"])
        {
            hello.WriteLine($"offers {need}");
        }

        foreach (Way way in Enum.GetValues<Way>())
        {
            hello.Write($"way {JsonNamingPolicy.SnakeCaseLower.ConvertName($"{way}")}");
            hello.Write(way.HasStorage() ? $" storage={Ordinary}" : "");
            hello.Write(way.CanMisalign() ? " misalign" : "");
            hello.WriteLine(way switch { Way.Text => " text", Way.Value => " value", _ => "" });
        }

        return Utf8(hello.ToString());
    }

    private Func<byte[]> Load(byte number)
    {
        string library = Text();
        byte form = commands.ReadByte();
        byte[] given = Bytes();
        var config = new PluginConfig { PoisonOnPanic = commands.ReadBoolean(), LogLevel = Level() };
        bool withSink = commands.ReadBoolean();
        return () =>
        {
            config = form switch
            {
                0 => config,
                1 => config with { Json = Encoding.UTF8.GetString(given) },
                _ => config with { Utf8Json = given },
            };
            if (withSink)
            {
                var kept = new ConcurrentQueue<LogRecord>();
                _records[number] = kept;
                config = config with { Log = kept.Enqueue };
            }

            if (_services.TryGetValue(number, out OfferedServices? offered))
            {
                config = config with { Services = offered.Services };
            }

            _plugins[number] = Plugin.Load(library, config);
            return [];
        };
    }

    private Func<byte[]> Prepare(bool byName, Func<PluginEncoding, Method> prepare)
    {
        commands.ReadUInt32();
        PluginEncoding encoding = Enum.Parse<PluginEncoding>(Text(), ignoreCase: true);
        return () =>
        {
            _methods.Add((prepare(encoding), byName));
            return BitConverter.GetBytes(_methods.Count - 1);
        };
    }

    private Func<byte[]> Call()
    {
        (Method method, bool byName) = _methods[commands.ReadInt32()];
        var way = (Way)commands.ReadByte();
        commands.ReadByte();
        int capacity = (int)commands.ReadUInt64();
        byte offset = commands.ReadByte();
        byte[] request = Bytes();
        return () => way.Call(method, byName, request, capacity, offset);
    }

    private Func<byte[]> Begin(byte number)
    {
        byte name = commands.ReadByte();
        int method = commands.ReadInt32();
        byte how = commands.ReadByte();
        ulong nanoseconds = commands.ReadUInt64();
        byte[] trace = Bytes();
        string state = Text();
        byte[] metadata = Bytes();
        ulong[] objects = MemoryMarshal.Cast<byte, ulong>(Bytes()).ToArray();
        ulong items = commands.ReadUInt64();
        ulong bytes = commands.ReadUInt64();
        byte[] request = Bytes();
        return () =>
        {
            var options = new CallOptions
            {
                Timeout = nanoseconds == ulong.MaxValue ? null : TimeSpan.FromTicks((long)(nanoseconds / 100)),
                Metadata = metadata.Length == 0 ? null : new Metadata(metadata),
                Trace = trace.Length == 0 ? null : new ActivityContext(
                    ActivityTraceId.CreateFromBytes(trace.AsSpan(0, 16)),
                    ActivitySpanId.CreateFromBytes(trace.AsSpan(16, 8)),
                    (ActivityTraceFlags)BitConverter.ToUInt32(trace, 24),
                    state),
                Objects = [.. objects.Select(one => Lent(number, one))],
            };
            _calls[name] = BegunCall.Begin(_methods[method].Method, how, options, request, items, bytes);
            return [];
        };
    }

    /// <summary>An object by its number, which the judge releases.</summary>
    private PluginObject Lent(byte number, ulong one)
    {
        var lent = new PluginObject(_plugins[number], one);
        GC.SuppressFinalize(lent);
        return lent;
    }

    private unsafe Func<byte[]> Act(char letter, byte name)
    {
        switch (letter)
        {
            case 'K':
                return () => Told(error => Native.OpCancel(_calls[name].Operation, (RbResponse*)error));
            case 'G':
                return () =>
                {
                    // By its number, so that the core says what it says of one that is over.
                    byte[] told = Told(error => Native.OpDetach(_calls[name].Operation, (RbResponse*)error));
                    _calls[name].GiveUp();
                    return told;
                };
            case 'N':
                ulong items = commands.ReadUInt64();
                ulong bytes = commands.ReadUInt64();
                return () => Told(error => Native.OpDemand(_calls[name].Operation, items, bytes, (RbResponse*)error));
            case 'T':
                byte[][] sent = [.. Enumerable.Range(0, commands.ReadInt32()).Select(_ => Bytes()).ToArray()];
                return () => Told(error => Send(_calls[name].Operation, sent, (RbResponse*)error));
            default:
                int status = commands.ReadInt32();
                byte[] payload = Bytes();
                return () => Told(error =>
                {
                    fixed (byte* data = payload)
                    {
                        return Native.OpEnd(_calls[name].Operation, status, data, (nuint)payload.Length, (RbResponse*)error);
                    }
                });
        }
    }

    private static unsafe int Send(ulong operation, byte[][] items, RbResponse* error)
    {
        var data = new MemoryStream();
        var ends = new MemoryStream();
        foreach (byte[] item in items)
        {
            data.Write(item);
            ends.Write(BitConverter.GetBytes((uint)data.Length));
        }

        data.Write(ends.ToArray());
        fixed (byte* bytes = data.ToArray())
        {
            var batch = new RbBatch
            {
                Size = (uint)sizeof(RbBatch),
                Flags = Rb.BatchEnds,
                Data = bytes,
                Len = (nuint)data.Length,
                Count = (uint)items.Length,
            };
            return Native.OpWrite(operation, &batch, error);
        }
    }

    private static unsafe byte[] Told(Func<nint, int> act)
    {
        RbResponse error = default;
        return Checked(act((nint)(&error)), error);
    }

    private static byte[] Checked(int status, RbResponse error)
    {
        Response.Check(status, ref error);
        return [];
    }

    private Func<byte[]> Register(byte number)
    {
        string name = Text();
        commands.ReadUInt32();
        PluginEncoding encoding = Enum.Parse<PluginEncoding>(Text(), ignoreCase: true);
        byte mode = commands.ReadByte();
        int status = commands.ReadInt32();
        byte[] answer = Bytes();
        return () =>
        {
            if (!_services.TryGetValue(number, out OfferedServices? offered))
            {
                _services[number] = offered = new OfferedServices();
            }

            offered.Add(() => _plugins[number], name, encoding, mode, status, answer);
            return [];
        };
    }

    private byte[] Flush(byte number)
    {
        Plugin plugin = _plugins[number];
        // One that is closed has delivered everything.
        if (plugin.State != PluginState.Closed)
        {
            plugin.FlushLogs(TimeSpan.FromSeconds(10));
        }

        return Texts([.. _records[number].Where(record => !record.IsSpan).SelectMany(Written)]);
    }

    private static string[] Written(LogRecord record) =>
    [
        $"{record.Level}".ToUpperInvariant(),
        record.Target,
        record.Message,
        JsonSerializer.Serialize(record.Fields),
        JsonSerializer.Serialize(record.Spans.Select(span => new { name = span.Name })),
    ];

    private byte[] Drop(byte number)
    {
        _records.Remove(number);
        _services.Remove(number);
        if (_plugins.Remove(number, out Plugin? plugin))
        {
            plugin.Dispose();
        }

        return [];
    }

    private static byte[] Nothing(Action act)
    {
        act();
        return [];
    }

    /// <summary>An error as a user sees it.</summary>
    internal static byte[] Fields(PluginException failure) => Texts(
        failure.Message,
        failure.Type,
        failure.Details.Count == 0 ? "" : JsonSerializer.Serialize(failure.Details),
        failure.Backtrace ?? "");

    private static byte[] Utf8(string text) => Encoding.UTF8.GetBytes(text);

    private static byte[] Texts(params string[] texts)
    {
        var all = new MemoryStream();
        foreach (byte[] text in texts.Select(Utf8))
        {
            all.Write(BitConverter.GetBytes((ulong)text.Length));
            all.Write(text);
        }

        return all.ToArray();
    }

    private void Give(char letter, int status, byte[] content)
    {
        results.WriteByte((byte)letter);
        results.Write(BitConverter.GetBytes(status));
        results.Write(BitConverter.GetBytes((ulong)content.Length));
        results.Write(content);
        results.Flush();
    }

    private char? Letter()
    {
        int letter = commands.BaseStream.ReadByte();
        return letter < 0 ? null : (char)letter;
    }

    private PluginLogLevel Level() => Enum.Parse<PluginLogLevel>(Text(), ignoreCase: true);

    private string Text() => Encoding.UTF8.GetString(Bytes());

    private byte[] Bytes()
    {
        int length = checked((int)commands.ReadUInt64());
        byte[] bytes = commands.ReadBytes(length);
        return bytes.Length == length ? bytes : throw new EndOfStreamException();
    }
}
