// The service's methods as @grpc/grpc-js wants them, with the messages of protobuf-es that our side has as well.

import { fileURLToPath } from 'node:url';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';

const generated = new URL('../../../examples/routes/node/gen/routes_pb.js', import.meta.url);

export const { Measured, RepeatedSchema, RouteNoteSchema } = await import(fileURLToPath(generated));

const serialize = (schema) => (message) => Buffer.from(toBinary(schema, message.$typeName ? message : create(schema, message)));
const deserialize = (schema) => (bytes) => fromBinary(schema, bytes);

export const definition = Object.fromEntries(
  Measured.methods.map(({ name, localName, methodKind, input, output }) => [
    localName,
    {
      path: `/${Measured.typeName}/${name}`,
      requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      requestSerialize: serialize(input),
      requestDeserialize: deserialize(input),
      responseSerialize: serialize(output),
      responseDeserialize: deserialize(output),
    },
  ]),
);
