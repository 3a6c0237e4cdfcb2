package io.github.rustbridge;

/**
 * The offsets of the fields of the host ABI's structs on 64-bit systems, as in {@code
 * rustbridge.h}.
 */
final class Layout {
  /** {@code rb_response}. */
  static final int RESPONSE = 40;

  static final int RESPONSE_DATA = 0;
  static final int RESPONSE_CAPACITY = 8;
  static final int RESPONSE_LENGTH = 16;
  static final int RESPONSE_RELEASE = 24;

  /** {@code rb_reply}. */
  static final int REPLY = 2 * RESPONSE;

  static final int REPLY_TRAILERS = 0;
  static final int REPLY_OBJECTS = RESPONSE;

  /** {@code rb_reply_headers} goes on behind it. */
  static final int REPLY_HEADERS = REPLY;

  /** {@code rb_submission}. */
  static final int SUBMISSION = 120;

  static final int SUBMISSION_STATUS = 4;
  static final int SUBMISSION_INSTANCE = 8;
  static final int SUBMISSION_ENTRY = 16;
  static final int SUBMISSION_FLAGS = 20;
  static final int SUBMISSION_HEADER = 24;
  static final int SUBMISSION_REQUEST = 32;
  static final int SUBMISSION_REQUEST_LENGTH = 40;
  static final int SUBMISSION_RESPONSE = 48;
  static final int SUBMISSION_USER_DATA = 88;
  static final int SUBMISSION_DEMAND_ITEMS = 96;
  static final int SUBMISSION_DEMAND_BYTES = 104;
  static final int SUBMISSION_OPERATION = 112;

  /** {@code RB_SUBMIT_OFFLOAD}. */
  static final int OFFLOAD = 1;

  /** {@code rb_call_context}. */
  static final int HEADER = 112;

  static final int HEADER_FLAGS = 4;
  static final int HEADER_TIMEOUT = 8;
  static final int HEADER_OPERATION = 16;
  static final int HEADER_CANCELLED = 24;
  static final int HEADER_TRACE = 32;
  static final int HEADER_TRACE_FLAGS = 56;
  static final int HEADER_OBJECT_COUNT = 60;
  static final int HEADER_STATE = 64;
  static final int HEADER_STATE_LENGTH = 72;
  static final int HEADER_METADATA = 80;
  static final int HEADER_METADATA_LENGTH = 88;
  static final int HEADER_OBJECTS = 96;
  static final int HEADER_REPLY = 104;

  /** {@code RB_CONTEXT_TIMEOUT} and so on. */
  static final int HAS_TIMEOUT = 1;

  static final int HAS_TRACE = 2;
  static final int TAKES_HEADERS = 8;

  /** {@code rb_event}. */
  static final int EVENT = 192;

  static final int EVENT_KIND = 4;
  static final int EVENT_OPERATION = 8;
  static final int EVENT_USER_DATA = 16;
  static final int EVENT_STATUS = 24;
  static final int EVENT_COUNT = 28;
  static final int EVENT_FLAGS = 32;
  static final int EVENT_RESPONSE = 40;
  static final int EVENT_REPLY = 80;
  static final int EVENT_ITEMS = 160;
  static final int EVENT_BYTES = 168;

  /** {@code RB_EVENT_DONE} and so on. */
  static final int DONE = 1;

  static final int ITEMS = 2;
  static final int DEMAND = 3;
  static final int HEADERS = 6;

  /** {@code rb_batch}. */
  static final int BATCH = 40;

  static final int BATCH_FLAGS = 4;
  static final int BATCH_DATA = 8;
  static final int BATCH_LENGTH = 16;
  static final int BATCH_COUNT = 24;
  static final int BATCH_OBJECT_COUNT = 28;
  static final int BATCH_OBJECTS = 32;

  /** {@code RB_BATCH_ENDS}. */
  static final int ENDS = 1;

  /** {@code rb_close_options}. */
  static final int CLOSE = 24;

  static final int CLOSE_FLAGS = 4;
  static final int CLOSE_TIMEOUT = 8;
  static final int CLOSE_CANCEL_AFTER = 16;

  /** {@code RB_CLOSE_CANCEL}. */
  static final int CANCEL = 1;

  /** {@code RB_PENDING}. */
  static final int PENDING = -1;

  private Layout() {}
}
