using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace RustBridge.Tests;

/// <summary>Threads, and conditions that come true some time.</summary>
internal static class Waiting
{
    /// <summary>Long enough for anything on a busy machine.</summary>
    internal static readonly TimeSpan Long = TimeSpan.FromSeconds(60);

    internal static void For(string what, Func<bool> condition)
    {
        var watch = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(watch.Elapsed < Long, $"{what} hasn't come in {Long.TotalSeconds} seconds");
            Thread.Sleep(1);
        }
    }

    /// <summary>Runs work on a thread of its own, since what blocks would exhaust the pool.</summary>
    internal static Task<T> OnThread<T>(Func<T> work) =>
        Task.Factory.StartNew(work, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
