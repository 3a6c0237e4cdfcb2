// A host in TypeScript that calls the contacts plugin through the client that `rustbridge gen -l typescript` has written.
//
// Usage: node main.js PATH-OF-CONTACTS-PLUGIN

import { type Contact, Contacts, type Reach, ReachFailure } from './contacts.js';

const began = performance.now();

/** Prints a text as a line of JSON, with the time since the start of the program. */
function tell(text: string): void {
  const line = { host: 'Node', transport: 'Node-API', happened: 'typed', text, at_ms: Math.floor(performance.now() - began) };
  console.log(JSON.stringify(line));
}

/** Returns how a person is reached. The field `kind` distinguishes the enum's variants. */
function way(reached: Reach): string {
  switch (reached.kind) {
    case 'Email':
      return `by mail to ${reached.address}`;
    case 'Phone':
      return `by phone, +${reached.country} ${reached.number}`;
    case 'Nowhere':
      return 'not at all';
  }
}

/** The service that the plugin calls. */
const registry = {
  home: (name: string) => (name === 'Ada' ? { x: 3, y: 4 } : undefined),
};

const contacts = Contacts.load(process.argv[2] ?? '', { host: { registry } });

const ada: Contact = { name: 'Ada', reached: { kind: 'Email', address: 'ada@example.org' }, tags: ['maths'], age: 36 };
await contacts.add(ada);
await contacts.add({ name: 'Emmy', reached: { kind: 'Phone', country: 49, number: '9131' }, tags: ['maths', 'physics'] });
const count = await contacts.add({ name: 'Kurt', reached: { kind: 'Nowhere' }, tags: ['maths'] });
tell(`${count} people are kept`);

// atMost is left out: it has its default value, 10.
for (const contact of await contacts.find({ tag: 'maths' })) {
  tell(`${contact.name} is reached ${way(contact.reached)}`);
}

if (await contacts.rename('Emmy', 'Emmy Noether')) {
  tell('Emmy has a second name now');
}

// A callback: the plugin calls the function for each contact until it returns false.
const met: string[] = [];
await contacts.visit((contact) => {
  met.push(contact.name);
  return contact.name !== 'Emmy Noether';
});
tell(`the visitor has met ${met.join(' and ')}`);

const middle = await contacts.middle([
  { x: 0, y: 0 },
  { x: 4, y: 0 },
  { x: 2, y: 3 },
]);
tell(`the middle of three places is ${JSON.stringify(middle)}`);

tell(`it's ${await contacts.distance('Ada', { x: 0, y: 0 })} to Ada's home`);

tell(await contacts.reach(ada));
try {
  await contacts.reach({ name: 'Kurt', reached: { kind: 'Nowhere' }, tags: [] });
} catch (error) {
  if (error instanceof ReachFailure && error.reason.kind === 'Nowhere') {
    tell(`${error.reason.name} isn't reached: ${error.message}`);
  }
}
await contacts.close();
