package io.github.rustbridge;

/** How a call ended: the canonical status codes of gRPC, with the same numbers. */
public enum Status {
  /** It succeeded. */
  OK,
  /** It was cancelled. */
  CANCELLED,
  /** It failed and nobody knows more. */
  UNKNOWN,
  /** The request is wrong, whatever state the plugin is in. */
  INVALID_ARGUMENT,
  /** It took longer than it was allowed to. */
  DEADLINE_EXCEEDED,
  /** What was asked for doesn't exist. */
  NOT_FOUND,
  /** What was to be made exists already. */
  ALREADY_EXISTS,
  /** The caller may not. */
  PERMISSION_DENIED,
  /** Something has run out. */
  RESOURCE_EXHAUSTED,
  /** The state of the plugin doesn't allow it. */
  FAILED_PRECONDITION,
  /** It lost against something at the same time. */
  ABORTED,
  /** A value is beyond what's valid. */
  OUT_OF_RANGE,
  /** There is no such method or encoding. */
  UNIMPLEMENTED,
  /** A defect, for example a panic. */
  INTERNAL,
  /** The instance takes no calls any more, or the service isn't there at the moment. */
  UNAVAILABLE,
  /** Data is lost or damaged. */
  DATA_LOSS,
  /** The caller hasn't said who it is. */
  UNAUTHENTICATED;

  private static final Status[] ALL = values();

  /**
   * Gives the number that stands for it in the host ABI and in gRPC.
   *
   * @return the number
   */
  public int number() {
    return ordinal();
  }

  /**
   * Finds the status with a number.
   *
   * @param number a status of the host ABI
   * @return the status, {@link #UNKNOWN} for a number that isn't one
   */
  public static Status of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
  }
}
