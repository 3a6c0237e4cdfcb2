
/*
 * The one function a plugin exports; see `rb_entry_point`. Declared here so that a definition which differs doesn't
 * compile. A host that merely includes this header needs no such function.
 *
 * Thread: any. State: none needed.
 */
RB_PLUGIN_EXPORT const rb_plugin_table *rustbridge_plugin(uint32_t host_abi_version);

/* The name of that function, for those who look it up. */
#define RB_ENTRY_POINT "@ENTRY_POINT@"
/* The name of the extension whose table is `rb_log_extension`. */
#define RB_EXTENSION_LOG "@EXTENSION_LOG@"
/* Of `rb_call_host`. */
#define RB_EXTENSION_CALL "@EXTENSION_CALL@"
/* Of `rb_async_extension` from a plugin, `rb_async_host` from a host. */
#define RB_EXTENSION_ASYNC "@EXTENSION_ASYNC@"
/* Of `rb_objects_extension`. */
#define RB_EXTENSION_OBJECTS "@EXTENSION_OBJECTS@"
/* Of `rb_service_host`. */
#define RB_EXTENSION_SERVICES "@EXTENSION_SERVICES@"
