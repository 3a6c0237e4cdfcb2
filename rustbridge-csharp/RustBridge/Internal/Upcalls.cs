using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace RustBridge.Internal;

/// <summary>An object that native code calls. <see cref="Upcalls"/> has the rules.</summary>
internal abstract class UpcallTarget : INumbered
{
    /// <inheritdoc/>
    public ulong Number { get; set; }

    /// <summary>Told of what an upcall has thrown, on the thread that made it.</summary>
    /// <param name="error">The exception.</param>
    internal abstract void OnFailed(Exception error);
}

/// <summary>
/// How native code calls up into .NET: by a function pointer, and a number that stands for the object it's about.
/// </summary>
/// <remarks>
/// <para>
/// A function for it is static, has <see cref="UnmanagedCallersOnlyAttribute"/>, and does nothing but <see cref="Run"/>,
/// which finds the object and lets no exception out: one that left would end the process.
/// </para>
/// <para>
/// An object is kept from <see cref="Open"/> until native code calls <see cref="Drop"/>; no finaliser has a say in it.
/// A call with a number that was dropped does nothing.
/// </para>
/// <para>
/// A thread that enters is the runtime's from then on until it ends, and costs it a little for good. So only few threads,
/// which live long, may call up: the core's own and, for services, those of a plugin's runtime; never one for each event.
/// </para>
/// </remarks>
internal static unsafe class Upcalls
{
    // One for the process, as the functions are: they learn nothing but the number, and no two objects share one.
    private static readonly Slots<UpcallTarget> Targets = new();

    /// <summary>What tells that a number isn't used any more.</summary>
    internal static delegate* unmanaged[Cdecl]<void*, void> Drop => &OnDrop;

    /// <summary>How many objects native code may call at the moment.</summary>
    internal static int Count => Targets.Count;

    /// <summary>Keeps an object for native code, which must be given what this returns, or it's kept for good.</summary>
    /// <param name="target">The object.</param>
    /// <returns>Its number, as the pointer that native code passes back.</returns>
    internal static void* Open(UpcallTarget target) => (void*)Targets.Add(target);

    /// <summary>Finds the object that native code calls, for functions that answer something.</summary>
    /// <param name="number">The object's number, as native code passed it back.</param>
    /// <returns>The object, or null if it was dropped.</returns>
    internal static UpcallTarget? Find(void* number) => Targets.Find((ulong)number);

    /// <summary>Does an upcall's work, if its object is still there.</summary>
    /// <typeparam name="TTarget">The object's type; nothing is done for one of another.</typeparam>
    /// <typeparam name="TArgument">What the upcall is about.</typeparam>
    /// <param name="number">The object's number, as native code passed it back.</param>
    /// <param name="argument">What native code passed, valid until this returns.</param>
    /// <param name="work">The work. What it throws is given to <see cref="UpcallTarget.OnFailed"/>.</param>
    internal static void Run<TTarget, TArgument>(
        void* number, TArgument* argument, delegate*<TTarget, TArgument*, void> work)
        where TTarget : UpcallTarget
        where TArgument : unmanaged
    {
        var target = Targets.Find((ulong)number) as TTarget;
        try
        {
            if (target is not null)
            {
                work(target, argument);
            }
        }
        catch (Exception error)
        {
            Listeners.Tell(target!.OnFailed, error);
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void OnDrop(void* number) => Targets.Remove((ulong)number);
}
