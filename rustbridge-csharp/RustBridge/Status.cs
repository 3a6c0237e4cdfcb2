namespace RustBridge;

/// <summary>How a call ended: the canonical status codes of gRPC, with the same numbers.</summary>
public enum Status
{
    /// <summary>It succeeded.</summary>
    Ok = 0,

    /// <summary>It was cancelled.</summary>
    Cancelled = 1,

    /// <summary>It failed and nobody knows more.</summary>
    Unknown = 2,

    /// <summary>The request is wrong, whatever state the plugin is in.</summary>
    InvalidArgument = 3,

    /// <summary>It took longer than it was allowed to.</summary>
    DeadlineExceeded = 4,

    /// <summary>What was asked for doesn't exist.</summary>
    NotFound = 5,

    /// <summary>What was to be made exists already.</summary>
    AlreadyExists = 6,

    /// <summary>The caller may not.</summary>
    PermissionDenied = 7,

    /// <summary>Something has run out.</summary>
    ResourceExhausted = 8,

    /// <summary>The state of the plugin doesn't allow it.</summary>
    FailedPrecondition = 9,

    /// <summary>It lost against something at the same time.</summary>
    Aborted = 10,

    /// <summary>A value is beyond what's valid.</summary>
    OutOfRange = 11,

    /// <summary>There is no such method or encoding.</summary>
    Unimplemented = 12,

    /// <summary>A defect, for example a panic.</summary>
    Internal = 13,

    /// <summary>The instance takes no calls any more, or the service isn't there at the moment.</summary>
    Unavailable = 14,

    /// <summary>Data is lost or damaged.</summary>
    DataLoss = 15,

    /// <summary>The caller hasn't said who it is.</summary>
    Unauthenticated = 16,
}
