using System;
using System.Collections.Generic;
using System.Globalization;
using ThumbnailsClient;

/// <summary>The arguments of the program.</summary>
/// <param name="Source">The folder of the pictures.</param>
/// <param name="Target">The folder of the thumbnails.</param>
/// <param name="Size">The maximum width and height of a thumbnail.</param>
/// <param name="Format">The format of the thumbnails. If null, each has the format of its picture.</param>
/// <param name="Jobs">The maximum number of thumbnails that are created at once.</param>
internal sealed record Arguments(string Source, string Target, uint Size, Format? Format, int Jobs)
{
    public const string Usage = """
        Makes thumbnails of the PNG and JPEG pictures in a folder.

        usage: Thumbnails [OPTIONS] FOLDER TARGET

          --size N             how wide and high they may be; 160 unless it's said
          --format png|jpeg    how they're written; without it as the picture is
          --jobs N             how many are made at once; as many as there are processors unless it's said
          --help               prints this

        ends with 0 if there's a thumbnail of each picture, with 1 if there isn't of some, with 2 if nothing could be begun
        """;

    /// <summary>Parses the arguments.</summary>
    /// <exception cref="FormatException">An argument is invalid. The message names it.</exception>
    public static Arguments Read(IReadOnlyList<string> arguments)
    {
        uint size = 160;
        Format? format = null;
        int jobs = Environment.ProcessorCount;
        List<string> folders = [];
        for (int i = 0; i < arguments.Count; i++)
        {
            string argument = arguments[i];
            switch (argument)
            {
                case "--size":
                    size = (uint)Number(argument, Value(ref i), 10_000);
                    break;
                case "--jobs":
                    jobs = Number(argument, Value(ref i), 1_000);
                    break;
                case "--format":
                    format = Value(ref i) switch
                    {
                        "png" => ThumbnailsClient.Format.Png,
                        "jpeg" => ThumbnailsClient.Format.Jpeg,
                        string other => throw new FormatException($"`{other}` is neither `png` nor `jpeg`"),
                    };
                    break;
                default:
                    if (argument.StartsWith('-'))
                    {
                        throw new FormatException($"there's no option `{argument}`");
                    }

                    folders.Add(argument);
                    break;
            }
        }

        return folders is [{ Length: > 0 } source, { Length: > 0 } target]
            ? new Arguments(source, target, size, format, jobs)
            : throw new FormatException("two folders are needed: of the pictures, and of the thumbnails");

        string Value(ref int i) =>
            ++i < arguments.Count ? arguments[i] : throw new FormatException($"`{arguments[i - 1]}` needs a value");
    }

    private static int Number(string option, string value, int most) =>
        int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= 1 && number <= most
            ? number
            : throw new FormatException($"`{option}` is a number from 1 to {most}, and not `{value}`");
}
