using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;

namespace RustBridge.Internal;

/// <summary>
/// Finds the files of a program that was published as one file. With <c>IncludeNativeLibrariesForSelfExtract</c> the runtime extracts
/// libraries into a folder of its own, while <see cref="AppContext.BaseDirectory"/> stays the folder of the program.
/// </summary>
internal static class ExtractedFiles
{
    /// <summary>The error type of the core for a path at which there is nothing.</summary>
    private const string NoSuchFile = "rustbridge.NoSuchFile";

    /// <summary>The folders that the runtime searches for native libraries, with the one that it has extracted to.</summary>
    private const string SearchedFolders = "NATIVE_DLL_SEARCH_DIRECTORIES";

    /// <summary>Uses a file. If it doesn't exist, uses the extracted file with the same place in the program.</summary>
    /// <param name="path">The path that the caller has given.</param>
    /// <param name="use">What fails with <see cref="NoSuchFile"/> if there's no such file.</param>
    /// <returns>What <paramref name="use"/> returns.</returns>
    internal static T Use<T>(string path, Func<string, T> use)
    {
        try
        {
            return use(path);
        }
        catch (PluginException missing) when (missing.Type == NoSuchFile && IsSingleFile())
        {
            foreach (string candidate in Of(path, AppContext.BaseDirectory, Folders()))
            {
                try
                {
                    return use(candidate);
                }
                catch (PluginException error) when (error.Type == NoSuchFile)
                {
                    // The first error names the path that the caller knows.
                }
            }

            throw;
        }
    }

    /// <summary>Returns the folders that the runtime searches for native libraries, in a program that is one file; none in others.</summary>
    internal static IReadOnlyList<string> OfProcess() => IsSingleFile() ? Folders() : [];

    /// <summary>Returns where a file that belongs below the program's folder may have been extracted to.</summary>
    internal static IEnumerable<string> Of(string path, string application, IReadOnlyList<string> folders)
    {
        string below = Path.GetRelativePath(application, Path.GetFullPath(path));
        if (Path.IsPathRooted(below) || below == ".." || below.StartsWith($"..{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
        {
            yield break;
        }

        foreach (string folder in folders)
        {
            // Without its ending the file is found by the core, so the file itself isn't looked for here.
            string candidate = Path.Combine(folder, below);
            if (Directory.Exists(Path.GetDirectoryName(candidate)))
            {
                yield return candidate;
            }
        }
    }

    private static string[] Folders() =>
        AppContext.GetData(SearchedFolders) is string folders
            ? folders.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            : [];

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "The location is empty in a single file, which is the question.")]
    private static bool IsSingleFile() => typeof(ExtractedFiles).Assembly.Location.Length == 0;
}
