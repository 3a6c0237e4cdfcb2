// A client of a plugin that implements a service of protobuf-es. For each method, it has a function that accepts and returns
// messages.

import { create, fromBinary, toBinary } from '@bufbuild/protobuf';

/** Yields the items of a stream, each converted by `change`. */
async function* mapped(items, change) {
  for await (const item of items) {
    yield change(item);
  }
}

/** Creates a client of a plugin whose methods have the names `package.Service/Method` and the encoding `raw`. */
export function createClient(plugin, service) {
  return Object.fromEntries(
    service.methods.map(({ name, localName, methodKind, input, output }) => {
      const method = plugin.method(`${service.typeName}/${name}`, 'raw');
      const write = (message) => toBinary(input, create(input, message));
      const read = (bytes) => fromBinary(output, bytes);
      // The request of methods that accept a stream.
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
