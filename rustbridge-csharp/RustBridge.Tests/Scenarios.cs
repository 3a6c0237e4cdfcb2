using System;
using System.Threading;
using System.Threading.Tasks;

namespace RustBridge.Tests;

/// <summary>Something that <see cref="ChildProcess"/> runs in a process of its own, because it might take the process along.</summary>
internal interface IScenario
{
    /// <summary>Does it; an exception, an exit or silence means that it has gone wrong.</summary>
    Task Run();
}

/// <summary>Finds and runs scenarios, in the process of their own.</summary>
internal static class Scenarios
{
    /// <summary>What is printed last, so that nothing that merely ends the process passes for success.</summary>
    internal const string Done = "the scenario has ended well";

    internal static int Run(string name)
    {
        var watchdog = new Thread(() =>
        {
            Thread.Sleep(TimeSpan.FromSeconds(120) * ChildProcess.Soak);
            Environment.FailFast($"{name} hangs");
        })
        {
            IsBackground = true,
        };
        watchdog.Start();
        var scenario = (IScenario)Activator.CreateInstance(typeof(Scenarios).Assembly.GetType(name, throwOnError: true)!)!;
        try
        {
            scenario.Run().GetAwaiter().GetResult();
        }
        catch (Exception problem)
        {
            Console.Error.WriteLine(problem);
            return 1;
        }

        Console.WriteLine(Done);
        return 0;
    }
}
