namespace RustBridge.Tests;

/// <summary>The entry point of the processes that some tests need for themselves; the test runner doesn't use it.</summary>
internal static class ChildProcess
{
    internal static int Main() => 0;
}
