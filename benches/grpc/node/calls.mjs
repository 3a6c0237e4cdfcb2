// What the client in Node calls: every scenario as an operation that can be run again and again.

/**
 * Tells whether the answer was right. It looks at all of the answer only when it's told to check; otherwise at as much as a caller has
 * to in order to use it.
 *
 * @typedef {(check: boolean) => Promise<boolean>} Operation
 */

/**
 * A method of the stub, awaited as code in Node does.
 *
 * @param {any} stub
 * @param {string} name
 * @returns {(request: object) => Promise<any>}
 */
function awaited(stub, name) {
  const method = stub[name].bind(stub);
  return (request) =>
    new Promise((resolve, reject) => {
      method(request, (problem, answer) => (problem ? reject(problem) : resolve(answer)));
    });
}

const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);
const equal = (one, other) => one.length === other.length && one.every((value, index) => value === other[index]);

/** The scenario that is measured with several callers. */
export const THREADED = 'bench.small 76/80';

const STATUS_ABORTED = 10;

function empty(stub) {
  const call = awaited(stub, 'Void');
  return async () => (await call({})) !== undefined;
}

function small(stub) {
  const call = awaited(stub, 'Small');
  const request = { key: 'bench_key', flags: 1 };
  return async () => {
    const found = await call(request);
    return found.value === 'value_for_bench_key' && found.ttl_seconds === 3600 && found.cache_hit;
  };
}

const echo = (message) => (stub) => {
  const call = awaited(stub, 'Echo');
  return async () => {
    const echoed = await call({ message });
    return echoed.message === message && echoed.length === message.length;
  };
};

function greet(stub) {
  const call = awaited(stub, 'Greet');
  return async () => (await call({ name: 'BenchmarkUser' })).greeting === 'Hello, BenchmarkUser! Welcome to rustbridge.';
}

function add(stub) {
  const call = awaited(stub, 'Add');
  return async () => (await call({ a: 123456789, b: 987654321 })).result === 1111111110;
}

function divide(stub) {
  const call = awaited(stub, 'Div');
  return async () => (await call({ a: 10, b: 2 })).quotient === 5;
}

function join(stub) {
  const call = awaited(stub, 'Join');
  return async () => (await call({ parts: ['hello', 'world'] })).text === 'hello,world';
}

const sum = (count) => (stub) => {
  const call = awaited(stub, 'Sum');
  const values = upTo(count);
  return async () => (await call({ values })).sum === (count * (count + 1)) / 2;
};

const numbers = (count) => (stub) => {
  const call = awaited(stub, 'Numbers');
  const expected = upTo(count);
  return async (check) => {
    const { values } = await call({ count });
    return values.length === count && values.at(-1) === count && (!check || equal(values, expected));
  };
};

function fail(stub) {
  const call = awaited(stub, 'Fail');
  return async () => {
    try {
      await call({ message: 'Error' });
    } catch (problem) {
      return problem.code === STATUS_ABORTED && problem.details === 'Error';
    }
    return false;
  };
}

function toMessage(value) {
  if (Array.isArray(value)) {
    return { list: { values: value.map(toMessage) } };
  }
  switch (typeof value) {
    case 'boolean':
      return { boolean: value };
    case 'bigint':
      return { integer: Number(value) };
    case 'number':
      return { number: value };
    case 'string':
      return { text: value };
    default:
      return {};
  }
}

function fromMessage(message) {
  switch (message.kind) {
    case 'boolean':
    case 'number':
    case 'text':
      return message[message.kind];
    case 'integer':
      return BigInt(message.integer);
    case 'list':
      return message.list.values.map(fromMessage);
    default:
      return null;
  }
}

/** From the host's dynamic list to the message's values, and back to a new dynamic list. */
const dynamic = (count) => (stub) => {
  const call = awaited(stub, 'Any');
  const list = Array.from({ length: count }, (_, index) => [1n, 'two', 3][index % 3]);
  return async (check) => {
    const answer = await call({ values: list.map(toMessage) });
    const back = answer.values.map(fromMessage);
    return back.length === count && (!check || equal(back, list));
  };
};

function getAnswer(stub) {
  const call = awaited(stub, 'GetAnswer');
  return async () => (await call({ value: 23 })).value === 64;
}

const getBlob = (size) => (stub) => {
  const call = awaited(stub, 'GetBlob');
  return async (check) => {
    const { bytes } = await call({ size });
    return bytes.length === size && (!check || bytes.every((byte, at) => byte === at % 251));
  };
};

function typedText(stub) {
  const call = awaited(stub, 'GreetPerson');
  return async () => (await call({ name: 'Ada Lovelace' })).text === 'Hello, Ada Lovelace!';
}

function typedNumbers(stub) {
  const call = awaited(stub, 'NextReading');
  return async () => {
    const next = await call({ instrument: 7, at: 1000, low: -1, high: 3, weight: 0.5, count: 11 });
    return next.at === 1060 && next.low === -3 && next.high === 5 && next.count === 12;
  };
}

function typedRecords(stub) {
  const call = awaited(stub, 'Discount');
  const items = upTo(100).map((number) => ({ number, name: `item number ${number}`, price: number }));
  const prices = items.map(({ number, price }) => (number % 2 === 0 ? price / 2 : price));
  return async (check) => {
    const back = (await call({ items })).items;
    const right = () => equal(back.map((item) => item.price), prices) && back.every((item, at) => item.name === items[at].name);
    return back.length === 100 && (!check || right());
  };
}

function typedEnum(stub) {
  const call = awaited(stub, 'Around');
  return async () => {
    const around = await call({ rectangle: { width: 3, height: 4 } });
    return around.kind === 'circle' && around.circle.radius === 2.5;
  };
}

function typedDoubles(stub) {
  const call = awaited(stub, 'Twice');
  const twice = Array.from({ length: 1000 }, (_, number) => number);
  const values = twice.map((number) => 0.5 * number);
  return async (check) => {
    const back = (await call({ values })).values;
    return back.length === 1000 && (!check || equal(back, twice));
  };
}

function getStructs(stub) {
  const call = awaited(stub, 'GetStructs');
  return async (check) => {
    const { students } = await call({});
    return students.length === 34 && (!check || equal(count(students), [4760, 46410, 1618298]));
  };
}

/** Structs, strings and the strings' bytes. */
function count(students) {
  let structs = 0;
  const texts = [];
  for (const student of students) {
    structs += 4 + student.subjects.length + 3 * student.schools.length;
    texts.push(student.name, ...student.emails);
    for (const { city, street } of [student.home, student.birth, ...student.schools.map((school) => school.address)]) {
      texts.push(city, street);
    }
    for (const { title, text } of student.subjects) {
      texts.push(title, text);
    }
    for (const { name, emails } of student.schools) {
      texts.push(name, ...emails);
    }
  }
  return [structs, texts.length, texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0)];
}

/**
 * All scenarios, in the catalogue's order: a name, how its operation is made, and whether it's measured with client and server on one
 * core, too, which those with small messages are.
 *
 * @type {{ name: string, make: (stub: any) => Operation, pinned: boolean }[]}
 */
export const SCENARIOS = [
  { name: 'empty call', make: empty, pinned: true },
  { name: THREADED, make: small, pinned: true },
  { name: 'json echo 13 B', make: echo('Hello, World!'), pinned: true },
  { name: 'A small echo', make: echo('hello world from benchmark'), pinned: false },
  { name: 'A small greet', make: greet, pinned: false },
  { name: 'A small math.add', make: add, pinned: false },
  { name: 'M primitive', make: divide, pinned: true },
  { name: 'M string join', make: join, pinned: true },
  { name: 'M sum 1000', make: sum(1_000), pinned: false },
  { name: 'M sum 10000', make: sum(10_000), pinned: false },
  { name: 'M return 10000', make: numbers(10_000), pinned: false },
  { name: 'error, message read', make: fail, pinned: true },
  { name: 'M any 100', make: dynamic(100), pinned: false },
  { name: 'M any 10000', make: dynamic(10_000), pinned: false },
  { name: 'get_answer', make: getAnswer, pinned: true },
  { name: 'get_blob 1 KB', make: getBlob(1 << 10), pinned: false },
  { name: 'get_blob 64 KB', make: getBlob(1 << 16), pinned: false },
  { name: 'get_blob 1 MB', make: getBlob(1 << 20), pinned: false },
  { name: 'get_blob 16 MB', make: getBlob(1 << 24), pinned: false },
  { name: 'get_structs', make: getStructs, pinned: false },
  { name: 'typed text', make: typedText, pinned: true },
  { name: 'typed numbers', make: typedNumbers, pinned: true },
  { name: 'typed 100 records', make: typedRecords, pinned: false },
  { name: 'typed enum', make: typedEnum, pinned: true },
  { name: 'typed 1000 doubles', make: typedDoubles, pinned: false },
];
