// Written by `cargo xtask regen` from include/; do not edit.
package io.github.rustbridge.interop;

/**
 * The layout of the ABI's structs on 64-bit systems, and its constants, as in {@code rustbridge.h}:
 * for the backends, which read and write them by offsets. {@code SIZEOF_} is a struct's size.
 */
public final class AbiLayout {
  /** The size of {@code rb_response}. */
  public static final int SIZEOF_RESPONSE = 40;

  /** The offset of {@code data} in {@code rb_response}. */
  public static final int RESPONSE_DATA = 0;

  /** The offset of {@code capacity} in {@code rb_response}. */
  public static final int RESPONSE_CAPACITY = 8;

  /** The offset of {@code len} in {@code rb_response}. */
  public static final int RESPONSE_LEN = 16;

  /** The offset of {@code release} in {@code rb_response}. */
  public static final int RESPONSE_RELEASE = 24;

  /** The offset of {@code owner} in {@code rb_response}. */
  public static final int RESPONSE_OWNER = 32;

  /** The size of {@code rb_text}. */
  public static final int SIZEOF_TEXT = 16;

  /** The offset of {@code data} in {@code rb_text}. */
  public static final int TEXT_DATA = 0;

  /** The offset of {@code len} in {@code rb_text}. */
  public static final int TEXT_LEN = 8;

  /** The size of {@code rb_log_record}. */
  public static final int SIZEOF_LOG_RECORD = 192;

  /** The offset of {@code size} in {@code rb_log_record}. */
  public static final int LOG_RECORD_SIZE = 0;

  /** The offset of {@code level} in {@code rb_log_record}. */
  public static final int LOG_RECORD_LEVEL = 4;

  /** The offset of {@code kind} in {@code rb_log_record}. */
  public static final int LOG_RECORD_KIND = 8;

  /** The offset of {@code line} in {@code rb_log_record}. */
  public static final int LOG_RECORD_LINE = 12;

  /** The offset of {@code time_unix_ns} in {@code rb_log_record}. */
  public static final int LOG_RECORD_TIME_UNIX_NS = 16;

  /** The offset of {@code duration_ns} in {@code rb_log_record}. */
  public static final int LOG_RECORD_DURATION_NS = 24;

  /** The offset of {@code target} in {@code rb_log_record}. */
  public static final int LOG_RECORD_TARGET = 32;

  /** The offset of {@code message} in {@code rb_log_record}. */
  public static final int LOG_RECORD_MESSAGE = 48;

  /** The offset of {@code fields} in {@code rb_log_record}. */
  public static final int LOG_RECORD_FIELDS = 64;

  /** The offset of {@code spans} in {@code rb_log_record}. */
  public static final int LOG_RECORD_SPANS = 80;

  /** The offset of {@code file} in {@code rb_log_record}. */
  public static final int LOG_RECORD_FILE = 96;

  /** The offset of {@code thread} in {@code rb_log_record}. */
  public static final int LOG_RECORD_THREAD = 112;

  /** The offset of {@code instance} in {@code rb_log_record}. */
  public static final int LOG_RECORD_INSTANCE = 128;

  /** The offset of {@code trace_id} in {@code rb_log_record}. */
  public static final int LOG_RECORD_TRACE_ID = 144;

  /** The offset of {@code span_id} in {@code rb_log_record}. */
  public static final int LOG_RECORD_SPAN_ID = 160;

  /** The offset of {@code parent_span_id} in {@code rb_log_record}. */
  public static final int LOG_RECORD_PARENT_SPAN_ID = 168;

  /** The offset of {@code instance_number} in {@code rb_log_record}. */
  public static final int LOG_RECORD_INSTANCE_NUMBER = 176;

  /** The offset of {@code generation} in {@code rb_log_record}. */
  public static final int LOG_RECORD_GENERATION = 184;

  /** The size of {@code rb_reply}. */
  public static final int SIZEOF_REPLY = 80;

  /** The offset of {@code trailers} in {@code rb_reply}. */
  public static final int REPLY_TRAILERS = 0;

  /** The offset of {@code objects} in {@code rb_reply}. */
  public static final int REPLY_OBJECTS = 40;

  /** The size of {@code rb_call_context}. */
  public static final int SIZEOF_CALL_CONTEXT = 112;

  /** The offset of {@code size} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_SIZE = 0;

  /** The offset of {@code flags} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_FLAGS = 4;

  /** The offset of {@code timeout_ns} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_TIMEOUT_NS = 8;

  /** The offset of {@code op} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_OP = 16;

  /** The offset of {@code cancelled} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_CANCELLED = 24;

  /** The offset of {@code trace_id} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_TRACE_ID = 32;

  /** The offset of {@code span_id} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_SPAN_ID = 48;

  /** The offset of {@code trace_flags} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_TRACE_FLAGS = 56;

  /** The offset of {@code object_count} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_OBJECT_COUNT = 60;

  /** The offset of {@code trace_state} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_TRACE_STATE = 64;

  /** The offset of {@code metadata} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_METADATA = 80;

  /** The offset of {@code metadata_len} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_METADATA_LEN = 88;

  /** The offset of {@code objects} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_OBJECTS = 96;

  /** The offset of {@code reply} in {@code rb_call_context}. */
  public static final int CALL_CONTEXT_REPLY = 104;

  /** The size of {@code rb_reply_headers}. */
  public static final int SIZEOF_REPLY_HEADERS = 120;

  /** The offset of {@code reply} in {@code rb_reply_headers}. */
  public static final int REPLY_HEADERS_REPLY = 0;

  /** The offset of {@code headers} in {@code rb_reply_headers}. */
  public static final int REPLY_HEADERS_HEADERS = 80;

  /** The size of {@code rb_batch}. */
  public static final int SIZEOF_BATCH = 40;

  /** The offset of {@code size} in {@code rb_batch}. */
  public static final int BATCH_SIZE = 0;

  /** The offset of {@code flags} in {@code rb_batch}. */
  public static final int BATCH_FLAGS = 4;

  /** The offset of {@code data} in {@code rb_batch}. */
  public static final int BATCH_DATA = 8;

  /** The offset of {@code len} in {@code rb_batch}. */
  public static final int BATCH_LEN = 16;

  /** The offset of {@code count} in {@code rb_batch}. */
  public static final int BATCH_COUNT = 24;

  /** The offset of {@code object_count} in {@code rb_batch}. */
  public static final int BATCH_OBJECT_COUNT = 28;

  /** The offset of {@code objects} in {@code rb_batch}. */
  public static final int BATCH_OBJECTS = 32;

  /** The size of {@code rb_log_sink}. */
  public static final int SIZEOF_LOG_SINK = 32;

  /** The offset of {@code size} in {@code rb_log_sink}. */
  public static final int LOG_SINK_SIZE = 0;

  /** The offset of {@code reserved} in {@code rb_log_sink}. */
  public static final int LOG_SINK_RESERVED = 4;

  /** The offset of {@code log} in {@code rb_log_sink}. */
  public static final int LOG_SINK_LOG = 8;

  /** The offset of {@code user_data} in {@code rb_log_sink}. */
  public static final int LOG_SINK_USER_DATA = 16;

  /** The offset of {@code drop} in {@code rb_log_sink}. */
  public static final int LOG_SINK_DROP = 24;

  /** The size of {@code rb_service_call}. */
  public static final int SIZEOF_SERVICE_CALL = 48;

  /** The offset of {@code size} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_SIZE = 0;

  /** The offset of {@code encoding} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_ENCODING = 4;

  /** The offset of {@code instance} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_INSTANCE = 8;

  /** The offset of {@code token} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_TOKEN = 16;

  /** The offset of {@code call_context} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_CALL_CONTEXT = 24;

  /** The offset of {@code request} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_REQUEST = 32;

  /** The offset of {@code request_len} in {@code rb_service_call}. */
  public static final int SERVICE_CALL_REQUEST_LEN = 40;

  /** The size of {@code rb_service}. */
  public static final int SIZEOF_SERVICE = 72;

  /** The offset of {@code size} in {@code rb_service}. */
  public static final int SERVICE_SIZE = 0;

  /** The offset of {@code encoding} in {@code rb_service}. */
  public static final int SERVICE_ENCODING = 4;

  /** The offset of {@code name} in {@code rb_service}. */
  public static final int SERVICE_NAME = 8;

  /** The offset of {@code call} in {@code rb_service}. */
  public static final int SERVICE_CALL = 24;

  /** The offset of {@code cancel} in {@code rb_service}. */
  public static final int SERVICE_CANCEL = 32;

  /** The offset of {@code user_data} in {@code rb_service}. */
  public static final int SERVICE_USER_DATA = 40;

  /** The offset of {@code drop} in {@code rb_service}. */
  public static final int SERVICE_DROP = 48;

  /** The offset of {@code queue} in {@code rb_service}. */
  public static final int SERVICE_QUEUE = 56;

  /** The offset of {@code flags} in {@code rb_service}. */
  public static final int SERVICE_FLAGS = 64;

  /** The offset of {@code reserved} in {@code rb_service}. */
  public static final int SERVICE_RESERVED = 68;

  /** The size of {@code rb_load_options}. */
  public static final int SIZEOF_LOAD_OPTIONS = 144;

  /** The offset of {@code size} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_SIZE = 0;

  /** The offset of {@code flags} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_FLAGS = 4;

  /** The offset of {@code path} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_PATH = 8;

  /** The offset of {@code image} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_IMAGE = 24;

  /** The offset of {@code image_len} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_IMAGE_LEN = 32;

  /** The offset of {@code config} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_CONFIG = 40;

  /** The offset of {@code config_len} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_CONFIG_LEN = 48;

  /** The offset of {@code name} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_NAME = 56;

  /** The offset of {@code log_level} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_LOG_LEVEL = 72;

  /** The offset of {@code log_capacity} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_LOG_CAPACITY = 76;

  /** The offset of {@code log} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_LOG = 80;

  /** The offset of {@code services} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_SERVICES = 88;

  /** The offset of {@code service_count} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_SERVICE_COUNT = 96;

  /** The offset of {@code client_schema} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_CLIENT_SCHEMA = 104;

  /** The offset of {@code threads} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_THREADS = 120;

  /** The offset of {@code reserved} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_RESERVED = 124;

  /** The offset of {@code runtime} in {@code rb_load_options}. */
  public static final int LOAD_OPTIONS_RUNTIME = 128;

  /** The size of {@code rb_method}. */
  public static final int SIZEOF_METHOD = 48;

  /** The offset of {@code size} in {@code rb_method}. */
  public static final int METHOD_SIZE = 0;

  /** The offset of {@code entry} in {@code rb_method}. */
  public static final int METHOD_ENTRY = 4;

  /** The offset of {@code flags} in {@code rb_method}. */
  public static final int METHOD_FLAGS = 8;

  /** The offset of {@code encoding} in {@code rb_method}. */
  public static final int METHOD_ENCODING = 12;

  /** The offset of {@code request_size} in {@code rb_method}. */
  public static final int METHOD_REQUEST_SIZE = 16;

  /** The offset of {@code response_size} in {@code rb_method}. */
  public static final int METHOD_RESPONSE_SIZE = 24;

  /** The offset of {@code leaf_limit} in {@code rb_method}. */
  public static final int METHOD_LEAF_LIMIT = 32;

  /** The offset of {@code buffer_size} in {@code rb_method}. */
  public static final int METHOD_BUFFER_SIZE = 36;

  /** The offset of {@code buffer_limit} in {@code rb_method}. */
  public static final int METHOD_BUFFER_LIMIT = 40;

  /** The size of {@code rb_call_args}. */
  public static final int SIZEOF_CALL_ARGS = 72;

  /** The offset of {@code instance} in {@code rb_call_args}. */
  public static final int CALL_ARGS_INSTANCE = 0;

  /** The offset of {@code entry} in {@code rb_call_args}. */
  public static final int CALL_ARGS_ENTRY = 8;

  /** The offset of {@code status} in {@code rb_call_args}. */
  public static final int CALL_ARGS_STATUS = 12;

  /** The offset of {@code request} in {@code rb_call_args}. */
  public static final int CALL_ARGS_REQUEST = 16;

  /** The offset of {@code request_len} in {@code rb_call_args}. */
  public static final int CALL_ARGS_REQUEST_LEN = 24;

  /** The offset of {@code response} in {@code rb_call_args}. */
  public static final int CALL_ARGS_RESPONSE = 32;

  /** The size of {@code rb_call_result}. */
  public static final int SIZEOF_CALL_RESULT = 48;

  /** The offset of {@code size} in {@code rb_call_result}. */
  public static final int CALL_RESULT_SIZE = 0;

  /** The offset of {@code status} in {@code rb_call_result}. */
  public static final int CALL_RESULT_STATUS = 4;

  /** The offset of {@code response} in {@code rb_call_result}. */
  public static final int CALL_RESULT_RESPONSE = 8;

  /** The size of {@code rb_event}. */
  public static final int SIZEOF_EVENT = 192;

  /** The offset of {@code size} in {@code rb_event}. */
  public static final int EVENT_SIZE = 0;

  /** The offset of {@code kind} in {@code rb_event}. */
  public static final int EVENT_KIND = 4;

  /** The offset of {@code op} in {@code rb_event}. */
  public static final int EVENT_OP = 8;

  /** The offset of {@code user_data} in {@code rb_event}. */
  public static final int EVENT_USER_DATA = 16;

  /** The offset of {@code status} in {@code rb_event}. */
  public static final int EVENT_STATUS = 24;

  /** The offset of {@code count} in {@code rb_event}. */
  public static final int EVENT_COUNT = 28;

  /** The offset of {@code flags} in {@code rb_event}. */
  public static final int EVENT_FLAGS = 32;

  /** The offset of {@code reserved} in {@code rb_event}. */
  public static final int EVENT_RESERVED = 36;

  /** The offset of {@code response} in {@code rb_event}. */
  public static final int EVENT_RESPONSE = 40;

  /** The offset of {@code reply} in {@code rb_event}. */
  public static final int EVENT_REPLY = 80;

  /** The offset of {@code items} in {@code rb_event}. */
  public static final int EVENT_ITEMS = 160;

  /** The offset of {@code bytes} in {@code rb_event}. */
  public static final int EVENT_BYTES = 168;

  /** The offset of {@code call_context} in {@code rb_event}. */
  public static final int EVENT_CALL_CONTEXT = 176;

  /** The offset of {@code instance} in {@code rb_event}. */
  public static final int EVENT_INSTANCE = 184;

  /** The size of {@code rb_submission}. */
  public static final int SIZEOF_SUBMISSION = 120;

  /** The offset of {@code size} in {@code rb_submission}. */
  public static final int SUBMISSION_SIZE = 0;

  /** The offset of {@code status} in {@code rb_submission}. */
  public static final int SUBMISSION_STATUS = 4;

  /** The offset of {@code instance} in {@code rb_submission}. */
  public static final int SUBMISSION_INSTANCE = 8;

  /** The offset of {@code entry} in {@code rb_submission}. */
  public static final int SUBMISSION_ENTRY = 16;

  /** The offset of {@code flags} in {@code rb_submission}. */
  public static final int SUBMISSION_FLAGS = 20;

  /** The offset of {@code call_context} in {@code rb_submission}. */
  public static final int SUBMISSION_CALL_CONTEXT = 24;

  /** The offset of {@code request} in {@code rb_submission}. */
  public static final int SUBMISSION_REQUEST = 32;

  /** The offset of {@code request_len} in {@code rb_submission}. */
  public static final int SUBMISSION_REQUEST_LEN = 40;

  /** The offset of {@code response} in {@code rb_submission}. */
  public static final int SUBMISSION_RESPONSE = 48;

  /** The offset of {@code user_data} in {@code rb_submission}. */
  public static final int SUBMISSION_USER_DATA = 88;

  /** The offset of {@code demand_items} in {@code rb_submission}. */
  public static final int SUBMISSION_DEMAND_ITEMS = 96;

  /** The offset of {@code demand_bytes} in {@code rb_submission}. */
  public static final int SUBMISSION_DEMAND_BYTES = 104;

  /** The offset of {@code op} in {@code rb_submission}. */
  public static final int SUBMISSION_OP = 112;

  /** The size of {@code rb_callback}. */
  public static final int SIZEOF_CALLBACK = 24;

  /** The offset of {@code size} in {@code rb_callback}. */
  public static final int CALLBACK_SIZE = 0;

  /** The offset of {@code reserved} in {@code rb_callback}. */
  public static final int CALLBACK_RESERVED = 4;

  /** The offset of {@code notify} in {@code rb_callback}. */
  public static final int CALLBACK_NOTIFY = 8;

  /** The offset of {@code user_data} in {@code rb_callback}. */
  public static final int CALLBACK_USER_DATA = 16;

  /** The size of {@code rb_close_options}. */
  public static final int SIZEOF_CLOSE_OPTIONS = 24;

  /** The offset of {@code size} in {@code rb_close_options}. */
  public static final int CLOSE_OPTIONS_SIZE = 0;

  /** The offset of {@code flags} in {@code rb_close_options}. */
  public static final int CLOSE_OPTIONS_FLAGS = 4;

  /** The offset of {@code timeout_ms} in {@code rb_close_options}. */
  public static final int CLOSE_OPTIONS_TIMEOUT_MS = 8;

  /** The offset of {@code cancel_after_ms} in {@code rb_close_options}. */
  public static final int CLOSE_OPTIONS_CANCEL_AFTER_MS = 16;

  /** {@code RB_ABI_MAJOR}. */
  public static final int RB_ABI_MAJOR = 1;

  /** {@code RB_ABI_MINOR}. */
  public static final int RB_ABI_MINOR = 0;

  /** {@code RB_OK}. */
  public static final int RB_OK = 0;

  /** {@code RB_CANCELLED}. */
  public static final int RB_CANCELLED = 1;

  /** {@code RB_UNKNOWN}. */
  public static final int RB_UNKNOWN = 2;

  /** {@code RB_INVALID_ARGUMENT}. */
  public static final int RB_INVALID_ARGUMENT = 3;

  /** {@code RB_DEADLINE_EXCEEDED}. */
  public static final int RB_DEADLINE_EXCEEDED = 4;

  /** {@code RB_NOT_FOUND}. */
  public static final int RB_NOT_FOUND = 5;

  /** {@code RB_ALREADY_EXISTS}. */
  public static final int RB_ALREADY_EXISTS = 6;

  /** {@code RB_PERMISSION_DENIED}. */
  public static final int RB_PERMISSION_DENIED = 7;

  /** {@code RB_RESOURCE_EXHAUSTED}. */
  public static final int RB_RESOURCE_EXHAUSTED = 8;

  /** {@code RB_FAILED_PRECONDITION}. */
  public static final int RB_FAILED_PRECONDITION = 9;

  /** {@code RB_ABORTED}. */
  public static final int RB_ABORTED = 10;

  /** {@code RB_OUT_OF_RANGE}. */
  public static final int RB_OUT_OF_RANGE = 11;

  /** {@code RB_UNIMPLEMENTED}. */
  public static final int RB_UNIMPLEMENTED = 12;

  /** {@code RB_INTERNAL}. */
  public static final int RB_INTERNAL = 13;

  /** {@code RB_UNAVAILABLE}. */
  public static final int RB_UNAVAILABLE = 14;

  /** {@code RB_DATA_LOSS}. */
  public static final int RB_DATA_LOSS = 15;

  /** {@code RB_UNAUTHENTICATED}. */
  public static final int RB_UNAUTHENTICATED = 16;

  /** {@code RB_PENDING}. */
  public static final int RB_PENDING = -1;

  /** {@code RB_PANICKED}. */
  public static final int RB_PANICKED = 256;

  /** {@code RB_ENCODING_JSON}. */
  public static final int RB_ENCODING_JSON = 0;

  /** {@code RB_ENCODING_RAW}. */
  public static final int RB_ENCODING_RAW = 1;

  /** {@code RB_ENCODING_POD}. */
  public static final int RB_ENCODING_POD = 2;

  /** {@code RB_ENCODING_MSGPACK}. */
  public static final int RB_ENCODING_MSGPACK = 3;

  /** {@code RB_ENCODING_BINCODE}. */
  public static final int RB_ENCODING_BINCODE = 4;

  /** {@code RB_ENCODING_POSTCARD}. */
  public static final int RB_ENCODING_POSTCARD = 5;

  /** {@code RB_ENCODING_WIRE}. */
  public static final int RB_ENCODING_WIRE = 6;

  /** {@code RB_LOG_OFF}. */
  public static final int RB_LOG_OFF = 0;

  /** {@code RB_LOG_ERROR}. */
  public static final int RB_LOG_ERROR = 1;

  /** {@code RB_LOG_WARN}. */
  public static final int RB_LOG_WARN = 2;

  /** {@code RB_LOG_INFO}. */
  public static final int RB_LOG_INFO = 3;

  /** {@code RB_LOG_DEBUG}. */
  public static final int RB_LOG_DEBUG = 4;

  /** {@code RB_LOG_TRACE}. */
  public static final int RB_LOG_TRACE = 5;

  /** {@code RB_RECORD_EVENT}. */
  public static final int RB_RECORD_EVENT = 0;

  /** {@code RB_RECORD_SPAN}. */
  public static final int RB_RECORD_SPAN = 1;

  /** {@code RB_CONTEXT_TIMEOUT}. */
  public static final int RB_CONTEXT_TIMEOUT = 1;

  /** {@code RB_CONTEXT_TRACE}. */
  public static final int RB_CONTEXT_TRACE = 2;

  /** {@code RB_CONTEXT_OFFLOAD}. */
  public static final int RB_CONTEXT_OFFLOAD = 4;

  /** {@code RB_CONTEXT_HEADERS}. */
  public static final int RB_CONTEXT_HEADERS = 8;

  /** {@code RB_METADATA_LIMIT}. */
  public static final int RB_METADATA_LIMIT = 65536;

  /** {@code RB_HOST_BACKTRACE}. */
  public static final int RB_HOST_BACKTRACE = 1;

  /** {@code RB_BATCH_ENDS}. */
  public static final int RB_BATCH_ENDS = 1;

  /** {@code RB_ASYNC_KEEPS_TIME}. */
  public static final int RB_ASYNC_KEEPS_TIME = 1;

  /** {@code RB_SERVICE_SHORT}. */
  public static final int RB_SERVICE_SHORT = 1;

  /** {@code RB_LOAD_POISON}. */
  public static final int RB_LOAD_POISON = 1;

  /** {@code RB_LOAD_BACKTRACE}. */
  public static final int RB_LOAD_BACKTRACE = 2;

  /** {@code RB_LOAD_OWN_COPY}. */
  public static final int RB_LOAD_OWN_COPY = 4;

  /** {@code RB_LOAD_RUNTIME}. */
  public static final int RB_LOAD_RUNTIME = 8;

  /** {@code RB_METHOD_LEAF}. */
  public static final int RB_METHOD_LEAF = 1;

  /** {@code RB_METHOD_ASYNC}. */
  public static final int RB_METHOD_ASYNC = 2;

  /** {@code RB_METHOD_STREAM_OUT}. */
  public static final int RB_METHOD_STREAM_OUT = 4;

  /** {@code RB_METHOD_STREAM_IN}. */
  public static final int RB_METHOD_STREAM_IN = 8;

  /** {@code RB_METHOD_OBJECTS}. */
  public static final int RB_METHOD_OBJECTS = 16;

  /** {@code RB_METHOD_RECEIVER}. */
  public static final int RB_METHOD_RECEIVER = 32;

  /** {@code RB_ENTRY_LEAF}. */
  public static final int RB_ENTRY_LEAF = 32768;

  /** {@code RB_ENTRY_SHARED}. */
  public static final int RB_ENTRY_SHARED = 16384;

  /** {@code RB_EVENT_DONE}. */
  public static final int RB_EVENT_DONE = 1;

  /** {@code RB_EVENT_ITEMS}. */
  public static final int RB_EVENT_ITEMS = 2;

  /** {@code RB_EVENT_DEMAND}. */
  public static final int RB_EVENT_DEMAND = 3;

  /** {@code RB_EVENT_SERVICE}. */
  public static final int RB_EVENT_SERVICE = 4;

  /** {@code RB_EVENT_SERVICE_CANCEL}. */
  public static final int RB_EVENT_SERVICE_CANCEL = 5;

  /** {@code RB_EVENT_HEADERS}. */
  public static final int RB_EVENT_HEADERS = 6;

  /** {@code RB_SUBMIT_OFFLOAD}. */
  public static final int RB_SUBMIT_OFFLOAD = 1;

  /** {@code RB_SUBMIT_OFFLOAD_PLAIN}. */
  public static final int RB_SUBMIT_OFFLOAD_PLAIN = 2;

  /** {@code RB_STATE_ACTIVE}. */
  public static final int RB_STATE_ACTIVE = 1;

  /** {@code RB_STATE_POISONED}. */
  public static final int RB_STATE_POISONED = 2;

  /** {@code RB_STATE_CLOSING}. */
  public static final int RB_STATE_CLOSING = 3;

  /** {@code RB_STATE_CLOSED}. */
  public static final int RB_STATE_CLOSED = 4;

  /** {@code RB_STATE_FORKED}. */
  public static final int RB_STATE_FORKED = 5;

  /** {@code RB_CLOSE_CANCEL}. */
  public static final int RB_CLOSE_CANCEL = 1;

  private AbiLayout() {}
}
