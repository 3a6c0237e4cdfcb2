using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace RustBridge.Internal;

/// <summary>Loads the native library before its first use, once for the process.</summary>
internal static class NativeLibraryLoader
{
    private const uint AbiMajor = 1;

    // The library is one for the process, whatever number of plugins and instances there are.
    private static readonly object Gate = new();
    private static nint _handle;
    private static bool _resolving;
    private static bool _ready;

    /// <summary>Makes the functions of <see cref="Native"/> callable. A failure isn't final.</summary>
    internal static void Ensure()
    {
        if (!Volatile.Read(ref _ready))
        {
            Load();
        }
    }

    private static void Load()
    {
        lock (Gate)
        {
            if (_ready)
            {
                return;
            }

            if (_handle == 0)
            {
                _handle = NativeLibraryFinder.OfProcess().Load();
            }

            if (!_resolving)
            {
                NativeLibrary.SetDllImportResolver(
                    typeof(Native).Assembly, (name, _, _) => name == Native.Library ? _handle : 0);
                _resolving = true;
            }

            CheckVersion(Native.AbiVersion());
            Volatile.Write(ref _ready, true);
        }
    }

    private static void CheckVersion(uint version)
    {
        uint major = version >> 16;
        if (major != AbiMajor)
        {
            throw new PluginException(
                Status.FailedPrecondition,
                $"the native library has version {major}.{version & 0xffff} of the host ABI, "
                + $"but this assembly requires version {AbiMajor}.x: use the same release of both",
                "rustbridge.AbiMismatch");
        }
    }
}
