// Runtime support for the typed clients that `rustbridge gen -l typescript` writes.

export { type LoadOptions, load, loadAsync } from '../load.js';
export { PluginObject } from '../objects.js';
export type { CallOptions, StreamOptions } from '../options.js';
export type { CloseOptions, Plugin } from '../plugin.js';
export type { ServiceCall } from '../services.js';
export * from '../wire/codec.js';
export { UNKNOWN_VARIANT, WireError } from '../wire/errors.js';
export { Reader } from '../wire/reader.js';
export { Writer } from '../wire/writer.js';
export {
  Callback,
  CallbackObjects,
  type Callbacks,
  type CallbackType,
  callbacks,
  HostObjects,
  type ObjectClass,
  readCallback,
  writeCallback,
} from './callbacks.js';
export { Failure, fails } from './failures.js';
export { Items } from './items.js';
export { TypedMethod, TypedStreamingMethod } from './method.js';
export { readObject, writeObject } from './objects.js';
export { crossed, implemented, nothing, type Served, served, serving } from './services.js';
export { compared, equals, textOf } from './traits.js';
