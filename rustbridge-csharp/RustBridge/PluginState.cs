namespace RustBridge;

/// <summary>
/// The state of an instance. A newer native library may have further states; they have no name here.
/// </summary>
public enum PluginState
{
    /// <summary>The instance accepts calls.</summary>
    Active = 1,

    /// <summary>
    /// A panic has poisoned the instance (<see cref="PluginConfig.PoisonOnPanic"/>). It refuses calls and should be
    /// closed.
    /// </summary>
    Poisoned = 2,

    /// <summary>The instance is being closed: it accepts no new calls, and some are still running.</summary>
    Closing = 3,

    /// <summary>The instance is closed.</summary>
    Closed = 4,

    /// <summary>The process was forked after the instance was loaded, and this is the child.</summary>
    Forked = 5,
}
