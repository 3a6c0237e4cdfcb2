// Makes thumbnails of a folder of pictures, several at once. Each thread calls the one instance of the plugin.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using RustBridge;
using ThumbnailsClient;
using Thumbnails = ThumbnailsClient.Thumbnails;

if (args.Contains("--help"))
{
    Console.WriteLine(Arguments.Usage);
    return 0;
}

Arguments arguments;
List<string> pictures;
try
{
    arguments = Arguments.Read(args);
    pictures = [.. Directory.EnumerateFiles(arguments.Source).Where(IsPicture).Order(StringComparer.Ordinal)];
    Directory.CreateDirectory(arguments.Target);
}
catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException)
{
    Console.Error.WriteLine($"{error.Message}; `--help` tells what there is");
    return 2;
}

// The build puts the library into a folder beside the program, by the name that the system gives it.
string library = Path.Combine(AppContext.BaseDirectory, "plugin", "thumbnails_plugin");
var config = new PluginConfig { Json = """{"most_pixels": 40000000}""" };
using Thumbnails thumbnails = Thumbnails.Load(library, config);

ConcurrentBag<string> failures = [];
int made = 0;
var parallel = new ParallelOptions { MaxDegreeOfParallelism = arguments.Jobs };
await Parallel.ForEachAsync(pictures, parallel, async (picture, cancelled) =>
{
    string name = Path.GetFileName(picture);
    try
    {
        byte[] bytes = await File.ReadAllBytesAsync(picture, cancelled);
        var wanted = new Wanted(arguments.Size, arguments.Size, arguments.Format);
        (Thumbnail thumbnail, byte[] written) = thumbnails.Make(wanted, bytes);
        string ending = thumbnail.Format == Format.Png ? ".png" : ".jpg";
        // What isn't called so keeps its own ending in front: there may be an `a.png` beside an `a.jpg`.
        bool isCalledSo = name.EndsWith(ending, StringComparison.OrdinalIgnoreCase);
        string target = Path.Combine(arguments.Target, isCalledSo ? name : name + ending);
        await File.WriteAllBytesAsync(target, written, cancelled);
        Interlocked.Increment(ref made);
        Console.WriteLine($"{name}: {thumbnail.Width} x {thumbnail.Height}, {written.Length} bytes");
    }
    catch (PictureException failed) when (failed.Error is PictureError.TooLarge large)
    {
        failures.Add($"{name}: it claims to have {(ulong)large.Width * large.Height} pixels; at most {large.Most} are decoded");
    }
    catch (Exception failed) when (failed is PluginException or IOException or UnauthorizedAccessException)
    {
        failures.Add($"{name}: {failed.Message}");
    }
});

foreach (string failure in failures.Order(StringComparer.Ordinal))
{
    Console.Error.WriteLine(failure);
}

Console.WriteLine($"{made} thumbnails, {failures.Count} failures");
return failures.IsEmpty ? 0 : 1;

static bool IsPicture(string path) =>
    Path.GetExtension(path).ToUpperInvariant() is ".PNG" or ".JPG" or ".JPEG";
