// Calls the service of `routes.proto` in this process: each kind of method, with metadata, a timeout, an interceptor and error details.
//
// Usage: node host.mjs <library of routes-plugin>

import { load, Reply } from 'rustbridge';
import { createClient } from './client.mjs';
import { RouteGuide } from './gen/routes_pb.js';

const text = (pairs) => pairs.map(([key, value]) => `${key}: ${Buffer.from(value)}`).join(', ');

/** An interceptor that sets a default timeout. It prints the name of each call that ended and each stream that was read to its end. */
const told = {
  async call({ method, options }, next) {
    try {
      return await next({ timeout: 5000, ...options });
    } finally {
      console.log(`called ${method.name}`);
    }
  },
  async *stream({ method, options }, next) {
    yield* next({ timeout: 5000, ...options });
    console.log(`read ${method.name}`);
  },
};

const plugin = load(process.argv[2], { interceptors: [told] });
for (const { name, methods } of plugin.reflect().services) {
  console.log(`${name} has ${methods.map((method) => method.name).join(', ')}`);
}

const guide = createClient(plugin, RouteGuide);
const ravine = { latitude: 406589790, longitude: -743560121 };
const berkshire = { latitude: 408122808, longitude: -743999179 };

const reply = new Reply();
const feature = await guide.getFeature(ravine, { metadata: { user: 'Ada' }, reply });
console.log(`${feature.name} (${text(reply.headers)}; ${text(reply.trailers)})`);

for await (const { name } of guide.listFeatures({
  low: { latitude: 0, longitude: -750000000 },
  high: { latitude: 408200000, longitude: 0 },
})) {
  console.log(`- ${name}`);
}

const { points, features, distance } = await guide.recordRoute([ravine, berkshire]);
console.log(`${points} points, ${features} features, ${distance} m`);

async function* notes() {
  yield { location: ravine, message: 'a fine lake' };
  yield { location: ravine, message: 'still fine' };
}
for await (const note of guide.routeChat(notes())) {
  console.log(`noted before: ${note.message}`);
}

await guide.getFeature({ latitude: 1 }).catch(({ code, details }) => console.log(code, details));
await guide.getFeatureSlowly({ point: ravine, milliseconds: 60_000 }, { timeout: 20 }).catch(({ code }) => console.log(code));
await plugin.close();
