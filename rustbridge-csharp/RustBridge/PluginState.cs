namespace RustBridge;

/// <summary>What an instance is doing.</summary>
public enum PluginState
{
    /// <summary>It takes calls.</summary>
    Active = 1,

    /// <summary>
    /// A panic made it refuse further calls, as <see cref="PluginConfig.PoisonOnPanic"/> asks; it's to be closed.
    /// </summary>
    Poisoned = 2,

    /// <summary>It's being closed: it takes no new calls, and some still run.</summary>
    Closing = 3,

    /// <summary>It's gone.</summary>
    Closed = 4,

    /// <summary>The process was forked since it was loaded, and this is the child.</summary>
    Forked = 5,
}
