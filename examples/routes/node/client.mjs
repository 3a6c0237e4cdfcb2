// A client of a plugin for a service of protobuf-es: a function for each of its methods, messages in and out.

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';

/** Items of one type as the other has them. */
async function* mapped(items, change) {
  for await (const item of items) {
    yield change(item);
  }
}

/** Makes a client of a plugin whose methods are called `package.Service/Method`, and are raw. */
export function createClient(plugin, service) {
  return Object.fromEntries(
    service.methods.map(({ name, localName, methodKind, input, output }) => {
      const method = plugin.method(`${service.typeName}/${name}`, 'raw');
      const write = (message) => toBinary(input, create(input, message));
      const read = (bytes) => fromBinary(output, bytes);
      // What a method that takes a stream takes besides.
      const nothing = new Uint8Array();
      const call = {
        unary: async (message, options) => read(await method.callRaw(write(message), options)),
        server_streaming: (message, options) => mapped(method.streamRaw(write(message), options), read),
        client_streaming: async (messages, options) => read(await method.sendRaw(mapped(messages, write), nothing, options)),
        bidi_streaming: (messages, options) => mapped(method.exchangeRaw(mapped(messages, write), nothing, options), read),
      }[methodKind];
      return [localName, call];
    }),
  );
}
