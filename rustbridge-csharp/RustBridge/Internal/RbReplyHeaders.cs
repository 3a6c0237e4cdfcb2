namespace RustBridge.Internal;

/// <summary>How a call prepares the struct for its reply.</summary>
internal partial struct RbReplyHeaders
{
    /// <summary>Prepares the struct for a call. <c>Headers</c> is written only if the call may return some.</summary>
    internal void Clear(bool takesHeaders)
    {
        Reply = default;
        if (takesHeaders)
        {
            Headers = default;
        }
    }
}
