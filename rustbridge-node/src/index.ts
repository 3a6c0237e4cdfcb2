// The package's public exports.

export type { Description, Entry, Layout, LayoutField, MethodDescription, Side } from './description.js';
export { ResponseTooLargeError, RustbridgeError, type RustbridgeErrorOptions } from './errors.js';
export type { InterceptedCall, Interceptor } from './interceptors.js';
export { inspect, type LoadOptions, load, loadAsync, nativeVersion } from './load.js';
export type { Logger, LogRecord, LogSink } from './logging.js';
export { Method, type Slot } from './method.js';
export { PluginObject } from './objects.js';
export { type Bytes, type CallOptions, type Metadata, Reply, type StreamOptions } from './options.js';
export { type CloseOptions, Plugin, type RawOptions } from './plugin.js';
export type { ReflectedField, ReflectedMessage, ReflectedMethod, ReflectedService, Reflection } from './reflection.js';
export { type Service, ServiceCall, type ServiceFunction, serviceCall } from './services.js';
export { type Encoding, type LogLevel, type State, Status, type StatusCode } from './status.js';
export { Stream } from './stream.js';
