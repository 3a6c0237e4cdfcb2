using System;
using System.Threading;

namespace RustBridge.Benchmarks;

/// <summary>Threads that do the same work at the same time; the caller is one of them.</summary>
internal sealed class Crew : IDisposable
{
    private readonly Barrier _gate;
    private readonly Thread[] _others;
    private Func<int>? _work;
    private int _sum;

    internal Crew(int threads)
    {
        _gate = new Barrier(threads);
        _others = new Thread[threads - 1];
        for (int i = 0; i < _others.Length; i++)
        {
            _others[i] = new Thread(Follow) { IsBackground = true };
            _others[i].Start();
        }
    }

    public void Dispose()
    {
        _work = null;
        _gate.SignalAndWait();
        foreach (Thread other in _others)
        {
            other.Join();
        }

        _gate.Dispose();
    }

    /// <summary>Has every thread do the work once.</summary>
    /// <param name="work">What to do.</param>
    /// <returns>What the caller's thread has got.</returns>
    internal int Run(Func<int> work)
    {
        _work = work;
        _gate.SignalAndWait();
        int sum = work();
        _gate.SignalAndWait();
        return sum;
    }

    private void Follow()
    {
        while (true)
        {
            _gate.SignalAndWait();
            if (_work is not { } work)
            {
                return;
            }

            Interlocked.Add(ref _sum, work());
            _gate.SignalAndWait();
        }
    }
}
