// What the types promise, to `import`: this is compiled, and never run.

import {
  type CallOptions,
  type Interceptor,
  inspect,
  type LoadOptions,
  type LogRecord,
  load,
  type Metadata,
  Plugin,
  type PluginObject,
  Reply,
  RustbridgeError,
  type ServiceCall,
  type StatusCode,
  type Stream,
} from 'rustbridge';
import { type Fixtures, type Listener, type Node, NodeObject, type Person, type Progress } from './clients/fixtures.js';

interface Greeting {
  greeting: string;
}

const interceptor: Interceptor = {
  async call({ method, options }, next) {
    const answer = await next({ ...options, timeout: 5 });
    return method.leaf ? answer : undefined;
  },
};

const options: LoadOptions = {
  config: { label: 'x' },
  logger: (record: LogRecord) => console.log(record.level, record.message, record.time.getTime()),
  services: {
    'prices.get': (id: number, call: ServiceCall) => id * (call.timeLeft ?? 1),
    'prices.upper': { encoding: 'raw', call: async (text: Uint8Array) => text },
  },
  interceptors: [interceptor],
};

export async function everything(): Promise<void> {
  await using plugin: Plugin = load('hello', options);
  load(new URL('file:///hello'), { logger: console }).closeSync();
  const greeting: Greeting = await plugin.call<Greeting>('greet', { name: 'Ada' });
  const same: Greeting = plugin.callSync('greet', { name: greeting.greeting });
  const metadata: Metadata = { a: 'b', c: new Uint8Array() };
  const carried: CallOptions = { signal: AbortSignal.timeout(5), metadata, trace: ['00-', ''], reply: new Reply() };
  const bytes: Uint8Array = await plugin.callRaw(1, new Float64Array(2), { ...carried, encoding: 'pod' });
  const method = plugin.method('math.add', 'pod');
  const written: number = method.callInto(new DataView(bytes.buffer), new SharedArrayBuffer(8));
  const slot = method.slot();
  slot.request.setFloat64(0, written);
  slot.call();
  const stream: Stream<number> = plugin.stream<number>('ticks', same, { window: 5 });
  for await (const item of stream) {
    item.toFixed();
  }
  for await (const batch of plugin.exchange<number>('double', [1, 2]).batches()) {
    batch.length.toFixed();
  }
  using counter: PluginObject = await plugin.call('counter.new');
  counter.callSync<number>('add', 5n).toFixed();
  try {
    await plugin.close({ timeout: 5, cancelAfter: 1 });
  } catch (error) {
    if (error instanceof RustbridgeError) {
      const code: StatusCode = error.code;
      console.log(code === 'NOT_FOUND', error.details['x'], error.value?.length);
    }
  }
  // @ts-expect-error a status that there isn't
  new RustbridgeError('NOWHERE', 'message');
  // @ts-expect-error an encoding that there isn't
  plugin.method('x', 'xml');
  // @ts-expect-error a plugin comes from `load`
  new Plugin();
  console.log(inspect());
}

class Counting implements Listener {
  joined(_person: Person, tags: string[], call: ServiceCall): void {
    console.log(tags.length, call.timeLeft);
  }

  count(): bigint {
    return 1n;
  }

  favourite(among: Person[]): Person | undefined {
    return among[0];
  }

  async confirm(question: string, patience: number): Promise<boolean> {
    return question.length < patience;
  }
}

export async function callbacks(fixtures: Fixtures): Promise<void> {
  await fixtures.work(3, (done, total) => done < total);
  await fixtures.work(3, async (done, _total, call) => done < (call?.timeLeft ?? 1));
  const progress: Progress = { report: () => true };
  fixtures.workSync(3, progress);
  await fixtures.subscribeAll([{ name: 'one', listener: new Counting() }]);
  const node: Node = await fixtures.leaf('leaf', 2);
  const name: string = await node.name();
  if (node instanceof NodeObject) {
    const weight: number = node.weightSync({ timeout: name.length });
    await fixtures.weigh([node, { name: () => 'branch', weight: () => weight }]);
    node.close();
  }
  // @ts-expect-error functions are missing
  await fixtures.subscribe('one', { count: () => 1n });
  // @ts-expect-error a function only for callbacks with one
  await fixtures.subscribe('one', () => true);
  // @ts-expect-error a callback isn't optional
  await fixtures.work(3, undefined);
  // @ts-expect-error another response
  await fixtures.work(3, () => 'yes');
}
