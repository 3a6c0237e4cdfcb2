using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace RustBridge.Internal;

/// <summary>
/// Finds the native library: where <c>RUSTBRIDGE_LIBRARY</c> says (a file or a folder), in the package's
/// <c>runtimes/&lt;rid&gt;/native</c> beside the assembly, next to the assembly, where the system looks.
/// </summary>
/// <param name="setting">What the variable says; null or empty if it isn't set.</param>
/// <param name="folders">The folders of the assembly and of the application.</param>
internal sealed class NativeLibraryFinder(string? setting, IReadOnlyList<string> folders)
{
    internal const string Variable = "RUSTBRIDGE_LIBRARY";

    /// <summary>What the system is asked for, which knows the platform's prefix and ending, but no prefix on Windows.</summary>
    private static readonly string SystemName = OperatingSystem.IsWindows() ? "librustbridge" : Native.Library;

    private const string SystemSearch = "the application's native assets, then the system's search";

    private readonly StringBuilder _tried = new();
    private Exception? _last;

    /// <summary>
    /// The file's name in packages and beside assemblies. Windows doesn't tell <c>rustbridge.dll</c>, as cargo calls it, from this
    /// assembly's own <c>RustBridge.dll</c>.
    /// </summary>
    internal static string FileName { get; } =
        OperatingSystem.IsWindows() ? "librustbridge.dll"
        : OperatingSystem.IsMacOS() || OperatingSystem.IsIOS() ? "librustbridge.dylib"
        : "librustbridge.so";

    /// <summary>The name that cargo gives it.</summary>
    internal static string BuiltFileName { get; } = OperatingSystem.IsWindows() ? "rustbridge.dll" : FileName;

    internal static NativeLibraryFinder OfProcess() =>
        new(Environment.GetEnvironmentVariable(Variable), AssemblyFolders());

    /// <summary>Loads it.</summary>
    /// <returns>The system's handle.</returns>
    /// <exception cref="LibraryNotFoundException">It isn't anywhere; lists every place.</exception>
    internal nint Load()
    {
        if (!string.IsNullOrWhiteSpace(setting))
        {
            // An explicit setting that is wrong is an error at once, not a reason to take another library.
            string full = Path.GetFullPath(setting);
            string file = Directory.Exists(full) ? InFolder(full) : full;
            return TryFile(file, $"{Variable}={setting}", out nint explicitly) ? explicitly : throw NotFound();
        }

        foreach (string folder in folders)
        {
            foreach (string rid in RuntimeIdentifiers())
            {
                if (TryFile(InFolder(Path.Combine(folder, "runtimes", rid, "native")), "the package's", out nint packaged))
                {
                    return packaged;
                }
            }
        }

        foreach (string folder in folders)
        {
            if (TryFile(Path.Combine(folder, FileName), "next to the assembly", out nint beside))
            {
                return beside;
            }
        }

        return TrySystem(out nint handle) ? handle : throw NotFound();
    }

    /// <summary>This platform's identifier, then what it may be called besides.</summary>
    internal static IEnumerable<string> RuntimeIdentifiers()
    {
        string architecture = RuntimeInformation.ProcessArchitecture switch
        {
            Architecture.X64 => "x64",
            Architecture.X86 => "x86",
            Architecture.Arm64 => "arm64",
            Architecture.Arm => "arm",
            Architecture other => other.ToString().ToLowerInvariant(),
        };
        string own = RuntimeInformation.RuntimeIdentifier;
        yield return own;
        bool musl = own.Contains("musl", StringComparison.Ordinal) || own.StartsWith("alpine", StringComparison.Ordinal);
        string system =
            OperatingSystem.IsWindows() ? "win"
            : OperatingSystem.IsMacOS() ? "osx"
            : musl ? "linux-musl"
            : "linux";
        string portable = $"{system}-{architecture}";
        if (portable != own)
        {
            yield return portable;
        }
    }

    [UnconditionalSuppressMessage(
        "SingleFile", "IL3000", Justification = "An empty location is skipped; the application's folder is tried besides.")]
    private static List<string> AssemblyFolders()
    {
        var found = new List<string>(2);
        string location = typeof(NativeLibraryFinder).Assembly.Location;
        if (location.Length != 0 && Path.GetDirectoryName(location) is { Length: > 0 } folder)
        {
            found.Add(folder);
        }

        string application = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);
        if (application.Length != 0 && !found.Contains(application))
        {
            found.Add(application);
        }

        foreach (string extracted in ExtractedFiles.OfProcess())
        {
            string trimmed = Path.TrimEndingDirectorySeparator(extracted);
            if (!found.Contains(trimmed))
            {
                found.Add(trimmed);
            }
        }

        return found;
    }

    /// <summary>The library in a folder that holds no assemblies: under the name of packages, or else under cargo's.</summary>
    private static string InFolder(string folder)
    {
        string file = Path.Combine(folder, FileName);
        string built = Path.Combine(folder, BuiltFileName);
        return !File.Exists(file) && File.Exists(built) ? built : file;
    }

    private bool TryFile(string file, string why, out nint handle)
    {
        if (!File.Exists(file))
        {
            handle = 0;
            Note(file, why, "no such file");
            return false;
        }

        try
        {
            handle = NativeLibrary.Load(file);
            return IsOurs(ref handle, file, why);
        }
        catch (Exception error) when (error is DllNotFoundException or BadImageFormatException)
        {
            handle = 0;
            _last = error;
            Note(file, why, error.Message + Advice(error.Message));
            return false;
        }
    }

    /// <summary>
    /// Whether a library is the one that's looked for, or only called like it: a plugin, say. Otherwise the first call would tell of an
    /// entry point and not of a file.
    /// </summary>
    private bool IsOurs(ref nint handle, string place, string why)
    {
        if (NativeLibrary.TryGetExport(handle, "rb_abi_version", out _))
        {
            return true;
        }

        NativeLibrary.Free(handle);
        handle = 0;
        Note(place, why, "a library, but not librustbridge: it doesn't export rb_abi_version");
        return false;
    }

    private bool TrySystem(out nint handle)
    {
        try
        {
            handle = NativeLibrary.Load(SystemName, typeof(NativeLibraryFinder).Assembly, null);
            return IsOurs(ref handle, FileName, SystemSearch);
        }
        catch (Exception error) when (error is DllNotFoundException or BadImageFormatException)
        {
            handle = 0;
            _last = error;
            string message = error.Message.TrimEnd().ReplaceLineEndings("\n    ");
            Note(FileName, SystemSearch, message);
            return false;
        }
    }

    /// <summary>What helps against an error of the system's loader, or an empty string.</summary>
    internal static string Advice(string reason) =>
        reason.Contains("static TLS", StringComparison.Ordinal)
            ? "; libraries that are loaded late share a small reserve of each thread's memory, and others have used it up: "
                + "start the process with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192"
            : "";

    private void Note(string place, string why, string outcome) =>
        _tried.Append("\n  ").Append(place).Append(" (").Append(why).Append("): ").Append(outcome);

    private LibraryNotFoundException NotFound() =>
        new(
            $"the native library {FileName} wasn't found. `cargo xtask build` in rustbridge's repository builds it, as "
            + $"target/release/{BuiltFileName}; set {Variable} to that file or its folder, or refer to a package that was packed after it. "
            + $"Tried:{_tried}",
            _last);
}
