
/*
 * The one function a plugin exports; see `rb_entry_point`. It is declared here so that a definition with another type
 * does not compile. A host that includes this header does not need to define it.
 *
 * Thread: any. State: none needed.
 */
RB_PLUGIN_EXPORT const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version);

/* The name of that function, for looking it up at run time. */
#define RB_ENTRY_POINT "@ENTRY_POINT@"
/* Name of the extension whose table is `rb_log_extension`. */
#define RB_EXTENSION_LOG "@EXTENSION_LOG@"
/* Name of the extension whose table is `rb_call_host`. */
#define RB_EXTENSION_CALL "@EXTENSION_CALL@"
/* Name of the extension whose table is `rb_async_extension` (plugin) or `rb_async_host` (host). */
#define RB_EXTENSION_ASYNC "@EXTENSION_ASYNC@"
/* Name of the extension whose table is `rb_objects_extension`. */
#define RB_EXTENSION_OBJECTS "@EXTENSION_OBJECTS@"
/* Name of the extension whose table is `rb_service_host`. */
#define RB_EXTENSION_SERVICES "@EXTENSION_SERVICES@"
