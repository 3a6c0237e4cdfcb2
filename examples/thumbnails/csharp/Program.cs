// Creates thumbnails of a folder of pictures, several at once. All threads call the same instance of the plugin.
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
Thumbnails loaded;
try
{
    arguments = Arguments.Read(args);
    pictures = [.. Directory.EnumerateFiles(arguments.Source).Where(IsPicture).Order(StringComparer.Ordinal)];
    Directory.CreateDirectory(arguments.Target);
    if (AreOne(arguments.Source, arguments.Target))
    {
        throw new IOException("the thumbnails would replace the pictures: their folder has to be another");
    }

    // The build copies the library to a folder next to the program. The system's prefix and ending of the file name can be left out.
    string library = Path.Combine(AppContext.BaseDirectory, "plugin", "thumbnails_plugin");
    loaded = Thumbnails.Load(library, new PluginConfig { Json = """{"most_pixels": 40000000}""" });
}
catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException or PluginException)
{
    Console.Error.WriteLine($"{error.Message}; `--help` tells what there is");
    return 2;
}

using Thumbnails thumbnails = loaded;
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
        // A name with a different ending keeps it, as in `a.jpg.png`: there may be both an `a.png` and an `a.jpg`.
        bool isCalledSo = name.EndsWith(ending, StringComparison.OrdinalIgnoreCase);
        string called = isCalledSo ? name : name + ending;
        if (!isCalledSo && File.Exists(Path.Combine(arguments.Source, called)))
        {
            failures.Add($"{name}: its thumbnail would be called `{called}`, as that of another picture");
            return;
        }

        await File.WriteAllBytesAsync(Path.Combine(arguments.Target, called), written, cancelled);
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

// Reports whether two paths lead to the same folder, also through links: a file that is created in one is then in the other.
static bool AreOne(string one, string other)
{
    string name = Path.GetRandomFileName();
    string probe = Path.Combine(other, name);
    using var file = new FileStream(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, 1, FileOptions.DeleteOnClose);
    return File.Exists(Path.Combine(one, name));
}

static bool IsPicture(string path) =>
    Path.GetExtension(path).ToUpperInvariant() is ".PNG" or ".JPG" or ".JPEG";
