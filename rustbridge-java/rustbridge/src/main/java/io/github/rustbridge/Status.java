package io.github.rustbridge;

/** The result of a call: gRPC's canonical status codes, with the same numbers. */
public enum Status {
  /** The call succeeded. */
  OK,
  /** The call was cancelled. */
  CANCELLED,
  /** The call failed for an unknown reason. */
  UNKNOWN,
  /** The request is invalid, independently of the plugin's state. */
  INVALID_ARGUMENT,
  /** The deadline has passed. */
  DEADLINE_EXCEEDED,
  /** The requested thing doesn't exist. */
  NOT_FOUND,
  /** The thing to create exists already. */
  ALREADY_EXISTS,
  /** The caller isn't permitted to do this. */
  PERMISSION_DENIED,
  /** A resource or quota is exhausted. */
  RESOURCE_EXHAUSTED,
  /** The plugin's current state doesn't allow this call. */
  FAILED_PRECONDITION,
  /** A concurrent change interfered with the call. */
  ABORTED,
  /** A value is outside the valid range. */
  OUT_OF_RANGE,
  /** There is no such method or encoding. */
  UNIMPLEMENTED,
  /** An internal error, such as a panic. It's a defect. */
  INTERNAL,
  /** The instance accepts no more calls, or the service is temporarily unavailable. */
  UNAVAILABLE,
  /** Data is lost or damaged. */
  DATA_LOSS,
  /** The caller isn't authenticated. */
  UNAUTHENTICATED;

  private static final Status[] ALL = values();

  /**
   * Returns the status as a number, which is the same in the host ABI and in gRPC.
   *
   * @return the number
   */
  public int number() {
    return ordinal();
  }

  /**
   * Returns the status with a number.
   *
   * @param number a status of the host ABI
   * @return the status; {@link #UNKNOWN} if there is no status with that number
   */
  public static Status of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
  }
}
