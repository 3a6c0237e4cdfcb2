using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Threading;
using Xunit;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace RustBridge.Tests;

/// <summary>
/// Runs this assembly's tests in a process that is nothing but them. <c>dotnet test</c> needs a second process and sockets between
/// the two, and an installed .NET; a folder published for another system has neither.
/// </summary>
internal sealed class InProcessRunner : LongLivedMarshalByRefObject, IMessageSink, IDisposable
{
    private readonly object _lock = new();
    private readonly string[] _leftOut;
    private readonly List<ITestCase> _cases = [];
    private readonly ManualResetEventSlim _discovered = new();
    private readonly ManualResetEventSlim _ended = new();
    private readonly Dictionary<string, (int Count, decimal Seconds)> _times = [];
    private int _passed;
    private int _failed;
    private int _skipped;

    private InProcessRunner(string[] leftOut) => _leftOut = leftOut;

    /// <summary>Runs every test but those of the classes or methods left out, and prints the closing line of <c>dotnet test</c>.</summary>
    /// <param name="leftOut">Parts of full names.</param>
    /// <returns>0 if none failed.</returns>
    internal static int Run(string[] leftOut)
    {
        var watch = Stopwatch.StartNew();
        using var runner = new InProcessRunner(leftOut);
        runner.Run(typeof(InProcessRunner).Assembly);
        foreach ((string name, (int count, decimal seconds)) in runner._times.OrderByDescending(one => one.Value.Seconds).Take(15))
        {
            Console.WriteLine($"{seconds,8:F2} s in {count} of {name}");
        }

        int total = runner._passed + runner._failed + runner._skipped;
        Console.WriteLine(
            $"{(runner._failed == 0 ? "Passed" : "Failed")}!  - Failed: {runner._failed}, Passed: {runner._passed}, "
            + $"Skipped: {runner._skipped}, Total: {total}, Duration: {watch.Elapsed.TotalSeconds:F0} s - RustBridge.Tests.dll");
        return runner._failed == 0 && total > 0 ? 0 : 1;
    }

    public bool OnMessage(IMessageSinkMessage message)
    {
        lock (_lock)
        {
            switch (message)
            {
                case ITestCaseDiscoveryMessage found when !IsLeftOut(found.TestCase):
                    _cases.Add(found.TestCase);
                    break;
                case IDiscoveryCompleteMessage:
                    _discovered.Set();
                    break;
                case ITestPassed passed:
                    _passed++;
                    Took(passed);
                    break;
                case ITestSkipped skipped:
                    _skipped++;
                    Console.WriteLine($"skipped: {skipped.Test.DisplayName}: {skipped.Reason}");
                    break;
                case ITestFailed failed:
                    _failed++;
                    Took(failed);
                    Failed(failed.Test.DisplayName, failed);
                    break;
                case ITestAssemblyFinished:
                    _ended.Set();
                    break;
                case IFailureInformation failure:
                    // Of what is around the tests: the making or the end of a class, say.
                    _failed++;
                    Failed(message.GetType().Name, failure);
                    break;
            }
        }

        return true;
    }

    public void Dispose()
    {
        _discovered.Dispose();
        _ended.Dispose();
    }

    private void Run(Assembly assembly)
    {
        var options = new Defaults();
        using var framework = new XunitTestFramework(this);
        ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
        discoverer.Find(includeSourceInformation: false, this, options);
        _discovered.Wait();
        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        executor.RunTests(_cases, this, options);
        _ended.Wait();
    }

    private bool IsLeftOut(ITestCase one)
    {
        string name = $"{one.TestMethod.TestClass.Class.Name}.{one.TestMethod.Method.Name}";
        return _leftOut.Any(part => name.Contains(part, StringComparison.Ordinal));
    }

    private void Took(ITestResultMessage result)
    {
        string name = result.TestMethod.Method.Name;
        (int count, decimal seconds) = _times.GetValueOrDefault(name);
        _times[name] = (count + 1, seconds + result.ExecutionTime);
    }

    private static void Failed(string what, IFailureInformation why)
    {
        Console.WriteLine($"FAILED: {what}");
        Console.WriteLine(ExceptionUtility.CombineMessages(why));
        Console.WriteLine(ExceptionUtility.CombineStackTraces(why));
    }

    /// <summary>xunit's own choices: theories discovered case by case, collections in parallel.</summary>
    private sealed class Defaults : LongLivedMarshalByRefObject, ITestFrameworkDiscoveryOptions, ITestFrameworkExecutionOptions
    {
        private readonly Dictionary<string, object?> _values = [];

        public TValue GetValue<TValue>(string name) => _values.TryGetValue(name, out object? value) ? (TValue)value! : default!;

        public void SetValue<TValue>(string name, TValue value) => _values[name] = value;
    }
}
