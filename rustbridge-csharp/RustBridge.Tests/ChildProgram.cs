using System;
using RustBridge.Internal;

namespace RustBridge.Tests;

/// <summary>
/// What the processes do that <see cref="ChildProcess"/> starts: this assembly's entry point, which the test runner doesn't
/// use.
/// </summary>
internal static class ChildProgram
{
    internal static int Main(string[] arguments)
    {
        switch (arguments)
        {
            case ["library"]:
                return Library();
            case ["finder", string folder]:
                return Finder(folder);
            case ["exit without closing"]:
                return ExitWithoutClosing();
            case ["testee"]:
                return Conformance.Testee.Run();
            case ["scenario", string name]:
                return Scenarios.Run(name);
            case ["tests", .. string[] leftOut]:
                return InProcessRunner.Run(leftOut);
            default:
                Console.Error.WriteLine("the scenarios are for the tests that start them");
                return 2;
        }
    }

    private static int Library()
    {
        // A failure isn't final: it's looked for anew each time.
        for (int attempt = 0; attempt < 2; attempt++)
        {
            try
            {
                Console.WriteLine(Plugin.NativeVersion);
            }
            catch (LibraryNotFoundException error)
            {
                Console.WriteLine(error.Message);
            }
        }

        return 0;
    }

    /// <summary>Finds the library in a folder, in a process that has none loaded yet.</summary>
    private static int Finder(string folder)
    {
        try
        {
            Console.WriteLine(new NativeLibraryFinder(null, [folder]).Load() == 0 ? "nothing" : "loaded");
        }
        catch (LibraryNotFoundException error)
        {
            Console.WriteLine(error.Message);
        }

        return 0;
    }

    private static int ExitWithoutClosing()
    {
        Plugin plugin = TestPlugins.LoadConformance(new PluginConfig { Log = _ => { }, LogLevel = PluginLogLevel.Trace });
        plugin.Call("log.emit", """{"level":"INFO","message":"m","count":2000}""");
        Console.WriteLine("called");
        return 7;
    }
}
