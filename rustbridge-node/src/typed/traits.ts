// Operations of objects whose types have traits.

import type { PluginObject } from '../objects.js';

/** The method that returns a text. */
interface TextMethod {
  callSync(request: undefined, options: undefined, receiver: PluginObject): string;
}

/**
 * Returns the text that the plugin returns. If the call fails, the text states the error: code that prints an
 * object doesn't expect an error, and often runs while something else has failed.
 */
export function textOf(name: string, object: PluginObject, method: TextMethod): string {
  try {
    return method.callSync(undefined, undefined, object);
  } catch (error) {
    return `<${name}: ${error instanceof Error ? error.message : String(error)}>`;
  }
}

/** Returns whether two objects are equal. Those of different instances are unequal, without a call. */
export function equals(one: PluginObject, other: PluginObject, call: () => boolean): boolean {
  return one === other || (one.plugin === other.plugin && call());
}

/** Returns the order of two objects. */
export function compared(one: PluginObject, other: PluginObject, call: () => number): number {
  if (one.plugin !== other.plugin) {
    throw new TypeError('objects of different instances have no order: compare each with those of its instance');
  }
  return call();
}
