namespace RustBridge;

/// <summary>The status of a call: the canonical status codes of gRPC, with the same numbers.</summary>
public enum Status
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,

    /// <summary>The call was cancelled.</summary>
    Cancelled = 1,

    /// <summary>The call failed, and the reason isn't known.</summary>
    Unknown = 2,

    /// <summary>The request is invalid, regardless of the plugin's state.</summary>
    InvalidArgument = 3,

    /// <summary>The call took longer than its deadline allowed.</summary>
    DeadlineExceeded = 4,

    /// <summary>The requested entity doesn't exist.</summary>
    NotFound = 5,

    /// <summary>The entity to be created exists already.</summary>
    AlreadyExists = 6,

    /// <summary>The caller isn't permitted to do this.</summary>
    PermissionDenied = 7,

    /// <summary>A resource is exhausted.</summary>
    ResourceExhausted = 8,

    /// <summary>The plugin isn't in the state that the call requires.</summary>
    FailedPrecondition = 9,

    /// <summary>The call was aborted because of a conflict with concurrent work.</summary>
    Aborted = 10,

    /// <summary>A value is outside the valid range.</summary>
    OutOfRange = 11,

    /// <summary>There is no such method or encoding.</summary>
    Unimplemented = 12,

    /// <summary>A defect, for example a panic.</summary>
    Internal = 13,

    /// <summary>The instance no longer accepts calls, or the service is currently unavailable.</summary>
    Unavailable = 14,

    /// <summary>Data is lost or damaged.</summary>
    DataLoss = 15,

    /// <summary>The caller isn't authenticated.</summary>
    Unauthenticated = 16,
}
