using System;
using System.Collections.Generic;

namespace RustBridge.Internal;

/// <summary>Exceptions of the application's that plugins were told of.</summary>
/// <remarks>
/// A plugin gets the name by which one is found here, and sends the name back with its own error if that is the one that it fails with. So
/// what the caller catches has the exception as its <see cref="Exception.InnerException"/>.
/// </remarks>
internal static class Causes
{
    /// <summary>How many are kept at most: a plugin may never send one back.</summary>
    internal const int Limit = 256;

    private const int Milliseconds = 60_000;

    // Another binding in this process has names of its own.
    private static readonly string Prefix = $"{Guid.NewGuid():N}-";

    // Their names are numbers that go up, so the oldest come first.
    private static readonly SortedDictionary<long, (Exception Thrown, long Since)> Kept = [];

    private static long _last;

    /// <summary>Keeps an exception; gives its name.</summary>
    internal static string Keep(Exception thrown)
    {
        lock (Kept)
        {
            long now = Environment.TickCount64;
            Kept.Add(++_last, (thrown, now));
            Trim(now);
            return $"{Prefix}{_last}";
        }
    }

    /// <summary>Gives the exception of a name, which is kept no longer; null if there is none.</summary>
    internal static Exception? Take(string? name)
    {
        if (name is null || !name.StartsWith(Prefix, StringComparison.Ordinal) || !long.TryParse(name.AsSpan(Prefix.Length), out long number))
        {
            return null;
        }

        lock (Kept)
        {
            return Kept.Remove(number, out (Exception Thrown, long Since) kept) ? kept.Thrown : null;
        }
    }

    private static void Trim(long now)
    {
        while (true)
        {
            using SortedDictionary<long, (Exception Thrown, long Since)>.Enumerator oldest = Kept.GetEnumerator();
            if (!oldest.MoveNext() || (Kept.Count <= Limit && now - oldest.Current.Value.Since < Milliseconds))
            {
                return;
            }

            Kept.Remove(oldest.Current.Key);
        }
    }
}
