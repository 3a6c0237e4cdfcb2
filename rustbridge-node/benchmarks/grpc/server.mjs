// The service `Measured` of `examples/routes` by @grpc/grpc-js, on loopback: says its port to the program that has started it, and ends with it.

import { Server, ServerCredentials } from '@grpc/grpc-js';
import { definition } from './service.mjs';

const server = new Server();
const echo = ({ request }, callback) => callback(null, request);
server.addService(definition, {
  echo,
  echoAsync: echo,
  repeat(call) {
    const { note, count } = call.request;
    let sent = 0;
    const send = () => {
      while (sent < count) {
        sent += 1;
        if (!call.write(note)) {
          call.once('drain', send);
          return;
        }
      }
      call.end();
    };
    send();
  },
  count(call, callback) {
    let count = 0;
    call.on('data', () => {
      count += 1;
    });
    call.on('end', () => callback(null, { count }));
  },
  mirror(call) {
    call.on('data', (note) => call.write(note));
    call.on('end', () => call.end());
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  process.send(error === null ? { port } : { error: error.message });
});
process.on('disconnect', () => process.exit());
