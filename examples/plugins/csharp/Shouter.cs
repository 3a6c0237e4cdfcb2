using System;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Threading;

namespace Shout;

/// <summary>A plugin in C#: converts text to capitals, adds numbers, and greets as configured.</summary>
internal sealed unsafe class Shouter
{
    private readonly Host* _host;
    private readonly string _greeting = "Hello";
    private long _shouted;

    /// <summary>Creates an instance. Its configuration is JSON or empty.</summary>
    internal Shouter(Host* host, ReadOnlySpan<byte> config)
    {
        _host = host;
        if (!config.IsEmpty)
        {
            _greeting = JsonSerializer.Deserialize(config, Json.Default.Settings)?.Greeting ?? _greeting;
        }
    }

    /// <summary>
    /// docs/describe.md specifies the format. No entry is a leaf, because the garbage collector may pause a call.
    /// </summary>
    internal static ReadOnlySpan<byte> Description => """
        {"abi":"1.0","name":"shout-csharp","version":"1.0.0",
        "config":{"type":"object","properties":{"greeting":{"type":"string"}}},
        "methods":[
          {"name":"shout","doc":"Answers a text in capitals.","entries":[{"index":0,"encoding":"raw"}]},
          {"name":"add","doc":"Adds two integers.","entries":[{"index":1,"encoding":"pod",
            "request":{"layout":{"type":"Add","size":16,"align":8,"fields":[
              {"name":"a","type":"i64","offset":0,"size":8},{"name":"b","type":"i64","offset":8,"size":8}]}},
            "response":{"layout":{"type":"Sum","size":8,"align":8,"fields":[
              {"name":"sum","type":"i64","offset":0,"size":8}]}}}]},
          {"name":"crash","doc":"Throws.","entries":[{"index":2,"encoding":"raw"}]},
          {"name":"greet","doc":"Greets someone.","entries":[{"index":3,"encoding":"json",
            "request":{"schema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},
            "response":{"schema":{"type":"object","properties":{"greeting":{"type":"string"}}}}}]}]}
        """u8;

    /// <summary>Calls an entry. Calls may run on any threads, several at the same time.</summary>
    internal byte[] Call(uint entry, ReadOnlySpan<byte> request) => entry switch
    {
        0 => Shout(request),
        1 => Add(request),
        2 => throw (request.SequenceEqual("odd"u8) ? new OddException() : new InvalidOperationException("thrown on purpose")),
        3 => Greet(request),
        _ => throw new Failure(Abi.NotFound, "NOT_FOUND", "shout.Entry", "there is no such entry"),
    };

    private byte[] Shout(ReadOnlySpan<byte> request)
    {
        if (request.IsEmpty)
        {
            throw new Failure(Abi.InvalidArgument, "INVALID_ARGUMENT", "shout.Empty", "there is nothing to shout");
        }
        byte[] loud = request.ToArray();
        foreach (ref byte letter in loud.AsSpan())
        {
            letter = letter is >= (byte)'a' and <= (byte)'z' ? (byte)(letter - 32) : letter;
        }
        Log(Abi.LogInfo, "shouted"u8, $$"""{"count":{{Interlocked.Increment(ref _shouted)}}}""");
        return loud;
    }

    private static byte[] Add(ReadOnlySpan<byte> request)
    {
        if (request.Length != 16)
        {
            throw new Failure(Abi.InvalidArgument, "INVALID_ARGUMENT", "shout.Size", "a struct of 16 bytes was expected");
        }
        long a = MemoryMarshal.Read<long>(request);
        long b = MemoryMarshal.Read<long>(request[8..]);
        try
        {
            return BitConverter.GetBytes(checked(a + b));
        }
        catch (OverflowException)
        {
            throw new Failure(Abi.OutOfRange, "OUT_OF_RANGE", "shout.Overflow", "the sum has no 64 bits");
        }
    }

    private byte[] Greet(ReadOnlySpan<byte> request)
    {
        string name = JsonSerializer.Deserialize(request, Json.Default.Greet)?.Name
            ?? throw new Failure(Abi.InvalidArgument, "INVALID_ARGUMENT", "shout.Json", "`name` is missing");
        return JsonSerializer.SerializeToUtf8Bytes(new Greeting($"{_greeting}, {name}!"), Json.Default.Greeting);
    }

    private void Log(uint level, ReadOnlySpan<byte> message, string fields)
    {
        if (Volatile.Read(ref *_host->LogLevel) < level)
        {
            return;
        }
        fixed (byte* target = "shout"u8)
        fixed (byte* text = message)
        fixed (byte* json = Encoding.UTF8.GetBytes(fields))
        {
            var record = new LogRecord
            {
                Size = (uint)sizeof(LogRecord),
                Level = level,
                TimeUnixNs = (ulong)(DateTimeOffset.UtcNow - DateTimeOffset.UnixEpoch).Ticks * 100,
                Target = new Text { Data = target, Length = 5 },
                Message = new Text { Data = text, Length = (nuint)message.Length },
                Fields = new Text { Data = json, Length = (nuint)Encoding.UTF8.GetByteCount(fields) },
            };
            _host->Log(_host->Context, &record);
        }
    }
}

/// <summary>An error for the caller: a status, and an error type that identifies it.</summary>
internal sealed class Failure(int status, string code, string kind, string message) : Exception(message)
{
    internal int Status => status;

    internal string Code => code;

    internal string Kind => kind;
}

/// <summary>An exception whose property <c>Message</c> throws.</summary>
internal sealed class OddException : Exception
{
    public override string Message => throw new InvalidOperationException("thrown while telling");
}

internal sealed record Settings(string? Greeting);

internal sealed record Greet(string? Name);

internal sealed record Greeting([property: JsonPropertyName("greeting")] string Text);

internal sealed record ErrorPayload(string Code, string Message, string Type);

/// <summary>A native library can't generate code at run time, so the compiler generates the code for JSON.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Settings))]
[JsonSerializable(typeof(Greet))]
[JsonSerializable(typeof(Greeting))]
[JsonSerializable(typeof(ErrorPayload))]
internal sealed partial class Json : JsonSerializerContext;
