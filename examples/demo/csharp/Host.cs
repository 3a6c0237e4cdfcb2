using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Text.Json;
using System.Threading;
using RustBridge;

// A C# host: loads a plugin, calls it, prints responses and log records, and times its calls against bare calls.
// Usage: DemoHost PATH-OF-HELLO-PLUGIN PATH-OF-FLOOR
const string EchoRequest = """{"message":"Hello, World!"}""";
Bare.Find(Path.GetFullPath(args[1]));

using Plugin plugin = Plugin.Load(args[0], new PluginConfig { LogLevel = PluginLogLevel.Trace, Log = Show });
Answer("user.create", """{"username":"ada","email":"ada@example.com"}""");
plugin.FlushLogs(TimeSpan.FromSeconds(10));
try
{
    plugin.Call("math.add", """{"a":9223372036854775807,"b":1}""");
}
catch (PluginException error)
{
    Emit(json =>
    {
        json.WriteString("event", "error");
        json.WriteString("text", $"{error.Status}: {error.Message}");
    });
}

// Turn logging off, so that only the calls are timed.
plugin.LogLevel = PluginLogLevel.Off;
Answer("greet", """{"name":"Ada"}""");
Answer("test.sleep", """{"duration_ms":5}""");
Answer("math.add", """{"a":20,"b":22}""");
Answer("bench.small", """{"key":"bench_key","flags":1}""");

// The loops are written out, because a delegate around one call would cost as much as the call.
Method echo = plugin.Method("echo");
Timed(
    "echo",
    "json",
    echo.Call(EchoRequest),
    Bare.Echo(EchoRequest),
    times =>
    {
        int sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += echo.Call(EchoRequest).Length;
        }

        return sum;
    },
    times =>
    {
        int sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += Bare.Echo(EchoRequest).Length;
        }

        return sum;
    });

Method add = plugin.Method("math.add", PluginEncoding.Pod);
var numbers = new Add(20, 22);
Timed(
    "math.add",
    "pod",
    $"result {add.CallRaw<Add, Sum>(numbers).Result}",
    $"result {Bare.Add(numbers).Result}",
    times =>
    {
        long sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += add.CallRaw<Add, Sum>(numbers).Result;
        }

        return sum;
    },
    times =>
    {
        long sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += Bare.Add(numbers).Result;
        }

        return sum;
    });

Method small = plugin.Method(1, PluginEncoding.Pod);
Small key = Small.Of("bench_key"u8);
Timed(
    "bench.small",
    "pod",
    $"{small.CallRaw<Small, Found>(key)}",
    $"{Bare.Look(key)}",
    times =>
    {
        long sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += small.CallRaw<Small, Found>(key).ValueLen;
        }

        return sum;
    },
    times =>
    {
        long sum = 0;
        for (int i = 0; i < times; i++)
        {
            sum += Bare.Look(key).ValueLen;
        }

        return sum;
    });

void Show(LogRecord record) =>
    Emit(json =>
    {
        json.WriteString("event", "log");
        json.WriteString(
            "text", $"{record.Level.ToString().ToUpperInvariant()} {record.Target}: {record.Message} {record.FieldsJson}");
    });

void Answer(string method, string request)
{
    string answer = plugin.Call(method, request);
    Emit(json => WriteCall(json, method, "json", answer));
}

// Times both loops in alternating batches, so that both run under the same conditions, and prints the medians.
void Timed(string method, string encoding, string answer, string bareAnswer, Func<int, long> ours, Func<int, long> bare)
{
    const int Rounds = 201;
    if (answer != bareAnswer)
    {
        throw new InvalidOperationException($"{method} answers {answer}, the bare call {bareAnswer}");
    }

    // The JIT compiler recompiles a method twice, each time some time after thirty calls. The pauses leave time for it.
    for (int pass = 0; pass < 4; pass++)
    {
        for (int i = 0; i < 100; i++)
        {
            Batch(ours);
            Batch(bare);
        }

        Thread.Sleep(200);
    }

    double[] mine = new double[Rounds];
    double[] theirs = new double[Rounds];
    for (int round = 0; round < Rounds; round++)
    {
        mine[round] = Batch(ours);
        theirs[round] = Batch(bare);
    }

    Array.Sort(mine);
    Array.Sort(theirs);
    Emit(json =>
    {
        WriteCall(json, method, encoding, answer);
        json.WriteString("bare", Bare.Name);
        json.WriteNumber("ns", mine[Rounds / 2]);
        json.WriteNumber("bare_ns", theirs[Rounds / 2]);
    });
}

static double Batch(Func<int, long> loop)
{
    const int Times = 2000;
    long start = Stopwatch.GetTimestamp();
    loop(Times);
    return Stopwatch.GetElapsedTime(start).TotalNanoseconds / Times;
}

static void WriteCall(Utf8JsonWriter json, string method, string encoding, string answer)
{
    json.WriteString("method", method);
    json.WriteString("encoding", encoding);
    json.WriteString("answer", answer);
}

// Prints one JSON object on a line, by a single write, because log records are printed on a log thread.
static void Emit(Action<Utf8JsonWriter> fields)
{
    using var line = new MemoryStream();
    using (var json = new Utf8JsonWriter(line))
    {
        json.WriteStartObject();
        json.WriteString("host", "C#");
        json.WriteString("transport", "P/Invoke");
        fields(json);
        json.WriteEndObject();
    }

    Console.Out.WriteLine(Encoding.UTF8.GetString(line.GetBuffer(), 0, (int)line.Length));
}
