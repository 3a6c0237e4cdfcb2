//! What the headers have to agree about with Rust, as assertions for a compiler of C or C++: each offset, size and constant.

use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};

use rustbridge_abi as abi;
use rustbridge_host_abi as host;

/// Writes the assertions for one struct: its size, alignment, and where each field is.
macro_rules! layout {
    ($out:ident, $c:literal, $type:ty, $($field:ident),+) => {
        let size = size_of::<$type>();
        let align = align_of::<$type>();
        writeln!($out, "ASSERT(sizeof({}) == {size}, \"size of {}\");", $c, $c).unwrap();
        writeln!($out, "ASSERT(ALIGN({}) == {align}, \"alignment of {}\");", $c, $c).unwrap();
        let mut end = 0;
        $(
            let offset = offset_of!($type, $field);
            let field = stringify!($field);
            writeln!($out, "ASSERT(offsetof({}, {field}) == {offset}, \"{}.{field}\");", $c, $c).unwrap();
            assert!(offset >= end, "fields of {} out of order", $c);
            end = offset + 1;
        )+
        assert!(end <= size);
    };
}

macro_rules! constants {
    ($out:ident, $($c:literal = $value:expr),+ $(,)?) => {
        $( writeln!($out, "ASSERT({} == {}, \"{}\");", $c, $value, $c).unwrap(); )+
    };
}

/// A program that compiles if they agree.
pub fn assertions() -> String {
    let mut out = String::from(
        "#include \"rustbridge.h\"\n#include \"rustbridge_plugin.h\"\n#ifdef __cplusplus\n\
         #define ASSERT static_assert\n#define ALIGN alignof\n#else\n\
         #define ASSERT _Static_assert\n#define ALIGN _Alignof\n#endif\n",
    );
    layout!(
        out,
        "rb_response",
        abi::Response,
        data,
        capacity,
        len,
        release,
        owner
    );
    layout!(out, "rb_text", abi::Text, data, len);
    layout!(
        out,
        "rb_log_record",
        abi::LogRecord,
        size,
        level,
        kind,
        line,
        time_unix_ns,
        duration_ns,
        target,
        message,
        fields,
        spans,
        file,
        thread,
        instance,
        trace_id,
        span_id,
        parent_span_id,
        instance_number,
        generation
    );
    layout!(
        out,
        "rb_call_context",
        abi::CallContext,
        size,
        flags,
        timeout_ns,
        op,
        cancelled,
        trace_id,
        span_id,
        trace_flags,
        object_count,
        trace_state,
        metadata,
        metadata_len,
        objects,
        reply
    );
    layout!(out, "rb_reply", abi::Reply, trailers, objects);
    layout!(out, "rb_reply_headers", abi::ReplyHeaders, reply, headers);
    layout!(
        out,
        "rb_call_host",
        abi::CallHost,
        size,
        reserved,
        current,
        headers
    );
    layout!(
        out,
        "rb_log_extension",
        abi::LogExtension,
        size,
        level_changed
    );
    layout!(
        out,
        "rb_host",
        abi::Host,
        size,
        abi_version,
        context,
        flags,
        reserved,
        instance_name,
        log_level,
        log,
        extension,
        threads,
        plugin_path
    );
    layout!(
        out,
        "rb_plugin_table",
        abi::PluginTable,
        size,
        abi_version,
        context,
        describe,
        create,
        call,
        destroy,
        extension
    );
    layout!(
        out,
        "rb_batch",
        abi::Batch,
        size,
        flags,
        data,
        len,
        count,
        object_count,
        objects
    );
    layout!(
        out,
        "rb_async_extension",
        abi::AsyncExtension,
        size,
        flags,
        start,
        cancel,
        demand,
        push,
        push_end,
        release
    );
    layout!(
        out,
        "rb_async_host",
        abi::AsyncHost,
        size,
        reserved,
        complete,
        emit,
        demand,
        on_cancel
    );
    layout!(
        out,
        "rb_objects_extension",
        abi::ObjectsExtension,
        size,
        reserved,
        drop
    );
    layout!(
        out,
        "rb_event",
        host::Event,
        size,
        kind,
        op,
        user_data,
        status,
        count,
        flags,
        reserved,
        response,
        reply,
        items,
        bytes,
        call_context,
        instance
    );
    layout!(
        out,
        "rb_submission",
        host::Submission,
        size,
        status,
        instance,
        entry,
        flags,
        call_context,
        request,
        request_len,
        response,
        user_data,
        demand_items,
        demand_bytes,
        op
    );
    layout!(
        out,
        "rb_close_options",
        host::CloseOptions,
        size,
        flags,
        timeout_ms,
        cancel_after_ms
    );
    layout!(
        out,
        "rb_callback",
        host::Callback,
        size,
        reserved,
        notify,
        user_data
    );
    layout!(
        out,
        "rb_log_sink",
        host::LogSink,
        size,
        reserved,
        log,
        user_data,
        drop
    );
    layout!(
        out,
        "rb_load_options",
        host::LoadOptions,
        size,
        flags,
        path,
        image,
        image_len,
        config,
        config_len,
        name,
        log_level,
        log_capacity,
        log,
        services,
        service_count,
        client_schema,
        threads,
        reserved,
        runtime
    );
    layout!(
        out,
        "rb_service_call",
        host::ServiceCall,
        size,
        encoding,
        instance,
        token,
        call_context,
        request,
        request_len
    );
    layout!(
        out,
        "rb_service",
        host::Service,
        size,
        encoding,
        name,
        call,
        cancel,
        user_data,
        drop,
        queue,
        flags,
        reserved
    );
    layout!(
        out,
        "rb_service_host",
        abi::ServiceHost,
        size,
        reserved,
        find,
        call,
        start,
        cancel
    );
    layout!(
        out,
        "rb_method",
        host::Method,
        size,
        entry,
        flags,
        encoding,
        request_size,
        response_size,
        leaf_limit,
        buffer_size,
        buffer_limit
    );
    layout!(
        out,
        "rb_call_args",
        host::CallArgs,
        instance,
        entry,
        status,
        request,
        request_len,
        response
    );
    layout!(out, "rb_call_result", host::Outcome, size, status, response);
    for status in abi::Status::ALL {
        writeln!(
            out,
            "ASSERT(RB_{} == {}, \"status\");",
            status.name(),
            status.code()
        )
        .unwrap();
    }
    for encoding in abi::Encoding::ALL {
        let name = encoding.name().to_uppercase();
        writeln!(
            out,
            "ASSERT(RB_ENCODING_{name} == {}, \"encoding\");",
            encoding.code()
        )
        .unwrap();
    }
    for level in abi::Level::ALL {
        writeln!(
            out,
            "ASSERT(RB_LOG_{} == {}, \"level\");",
            level.name(),
            level.code()
        )
        .unwrap();
    }
    constants!(
        out,
        "sizeof(rb_status)" = size_of::<abi::StatusCode>(),
        "sizeof(rb_encoding)" = size_of::<abi::EncodingCode>(),
        "sizeof(rb_level)" = size_of::<abi::LevelCode>(),
        "sizeof(rb_record_kind)" = size_of::<abi::RecordKindCode>(),
        "sizeof(rb_instance)" = size_of::<host::Instance>(),
        "sizeof(rb_entry_point)" = size_of::<abi::EntryPoint>(),
        "sizeof(size_t)" = size_of::<usize>(),
        "sizeof(rb_op)" = size_of::<abi::Op>(),
        "sizeof(rb_object)" = size_of::<abi::Object>(),
        "sizeof(rb_queue)" = size_of::<host::Queue>(),
        "sizeof(rb_service_done)" = size_of::<abi::ServiceDone>(),
        "RB_PENDING" = abi::RB_PENDING,
        "RB_CONTEXT_TIMEOUT" = abi::RB_CONTEXT_TIMEOUT,
        "RB_CONTEXT_TRACE" = abi::RB_CONTEXT_TRACE,
        "RB_CONTEXT_HEADERS" = abi::RB_CONTEXT_HEADERS,
        "RB_METADATA_LIMIT" = abi::RB_METADATA_LIMIT,
        "RB_ASYNC_KEEPS_TIME" = abi::RB_ASYNC_KEEPS_TIME,
        "RB_BATCH_ENDS" = abi::RB_BATCH_ENDS,
        "RB_EVENT_DONE" = host::RB_EVENT_DONE,
        "RB_EVENT_ITEMS" = host::RB_EVENT_ITEMS,
        "RB_EVENT_DEMAND" = host::RB_EVENT_DEMAND,
        "RB_EVENT_SERVICE" = host::RB_EVENT_SERVICE,
        "RB_EVENT_SERVICE_CANCEL" = host::RB_EVENT_SERVICE_CANCEL,
        "RB_EVENT_HEADERS" = host::RB_EVENT_HEADERS,
        "RB_ENTRY_LEAF" = host::RB_ENTRY_LEAF,
        "RB_ENTRY_SHARED" = host::RB_ENTRY_SHARED,
        "RB_ENCODING_BYTES" = host::RB_ENCODING_BYTES,
        "RB_PANICKED" = abi::RB_PANICKED,
        "RB_RECORD_EVENT" = abi::RB_RECORD_EVENT,
        "RB_RECORD_SPAN" = abi::RB_RECORD_SPAN,
        "RB_HOST_BACKTRACE" = abi::RB_HOST_BACKTRACE,
        "RB_ABI_MAJOR" = abi::ABI_MAJOR,
        "RB_ABI_MINOR" = abi::ABI_MINOR,
        "RB_ABI_VERSION" = abi::ABI_VERSION,
        "RB_LOAD_POISON" = host::RB_LOAD_POISON,
        "RB_LOAD_BACKTRACE" = host::RB_LOAD_BACKTRACE,
        "RB_LOAD_OWN_COPY" = host::RB_LOAD_OWN_COPY,
        "RB_LOAD_RUNTIME" = host::RB_LOAD_RUNTIME,
        "RB_METHOD_LEAF" = host::RB_METHOD_LEAF,
        "RB_METHOD_ASYNC" = host::RB_METHOD_ASYNC,
        "RB_METHOD_STREAM_OUT" = host::RB_METHOD_STREAM_OUT,
        "RB_METHOD_STREAM_IN" = host::RB_METHOD_STREAM_IN,
        "RB_METHOD_OBJECTS" = host::RB_METHOD_OBJECTS,
        "RB_METHOD_RECEIVER" = host::RB_METHOD_RECEIVER,
        "RB_STATE_ACTIVE" = host::RB_STATE_ACTIVE,
        "RB_STATE_POISONED" = host::RB_STATE_POISONED,
        "RB_STATE_CLOSING" = host::RB_STATE_CLOSING,
        "RB_STATE_CLOSED" = host::RB_STATE_CLOSED,
        "RB_STATE_FORKED" = host::RB_STATE_FORKED,
        "sizeof(RB_ENTRY_POINT)" = abi::ENTRY_POINT.count_bytes() + 1,
        "sizeof(RB_EXTENSION_LOG)" = abi::RB_EXTENSION_LOG.count_bytes() + 1,
        "sizeof(RB_EXTENSION_CALL)" = abi::RB_EXTENSION_CALL.count_bytes() + 1,
        "sizeof(RB_EXTENSION_ASYNC)" = abi::RB_EXTENSION_ASYNC.count_bytes() + 1,
        "sizeof(RB_EXTENSION_OBJECTS)" = abi::RB_EXTENSION_OBJECTS.count_bytes() + 1,
        "sizeof(RB_EXTENSION_SERVICES)" = abi::RB_EXTENSION_SERVICES.count_bytes() + 1,
    );
    out.push_str("int main(void) { return rb_abi_version() == RB_ABI_VERSION ? 0 : 1; }\n");
    out
}
