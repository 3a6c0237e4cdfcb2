using System.Text;

namespace RustBridge.Benchmarks;

/// <summary>The echo of JSON by hand.</summary>
internal static unsafe class Echo
{
    internal const string Hello = """{"message":"Hello, World!"}""";

    /// <summary>The most characters that are transcoded on the stack.</summary>
    internal const int Short = 1024;

    private const int Room = 3 * Short;

    /// <summary>From bytes to bytes of the caller's.</summary>
    internal static int Bytes(byte[] utf8, byte[] response)
    {
        nuint length;
        fixed (byte* request = utf8, storage = response)
        {
            Floor.Check(Floor.EchoJson(null, 0, request, (nuint)utf8.Length, storage, (nuint)response.Length, &length));
        }

        return (int)length;
    }

    /// <summary>From text to text, by the stack.</summary>
    internal static string Text(string json)
    {
        byte* request = stackalloc byte[Room];
        byte* response = stackalloc byte[Room];
        nuint length;
        nuint written;
        fixed (char* chars = json)
        {
            written = (nuint)Encoding.UTF8.GetBytes(chars, json.Length, request, Room);
        }

        Floor.Check(Floor.EchoJson(null, 0, request, written, response, Room, &length));
        return Encoding.UTF8.GetString(response, (int)length);
    }

    /// <summary>From text to text, by arrays that were made before.</summary>
    internal static string Text(string json, byte[] utf8, byte[] response)
    {
        int written = Encoding.UTF8.GetBytes(json, utf8);
        nuint length;
        fixed (byte* request = utf8, storage = response)
        {
            Floor.Check(Floor.EchoJson(null, 0, request, (nuint)written, storage, (nuint)response.Length, &length));
        }

        return Encoding.UTF8.GetString(response, 0, (int)length);
    }
}
