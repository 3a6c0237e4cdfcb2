// A host in Node of the shop: lends a basket, answers what the plugin asks, follows a parcel, and cancels a delivery.
//
// Usage: node main.mjs PATH-OF-SHOP-PLUGIN

import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'rustbridge';

const began = performance.now();

/** One line of what happens, and how long after the program began. */
function tell(happened, text) {
  console.log(JSON.stringify({ host: 'Node', transport: 'Node-API', happened, text, at_ms: Math.floor(performance.now() - began) }));
}

/** The plugin calls this, and waits for it. */
function price(article) {
  const cents = article === 'bread' ? 250 : 120;
  tell('callback', `the plugin asks the host for the price of ${article}: ${cents}`);
  return cents;
}

const shop = load(process.argv[2], {
  logger: ({ message }) => tell('log', message),
  logLevel: 'info',
  services: { 'prices.of': price },
});

// An object: a value that stays in the plugin. Closing it gives it back.
const basket = await shop.call('enter');
for (const article of ['bread', 'milk']) {
  const count = await basket.call('put', article);
  tell('object', `${article} is put into the basket, which holds ${count}`);
}
tell('object', `the basket costs ${await basket.call('total')} in all`);
basket.close();

// A stream: each item as soon as it's there, one at a time because we ask for one at a time.
for await (const place of shop.stream('follow', 7, { window: 1 })) {
  tell('stream', place);
}
tell('stream', 'that was the last');

// A call that takes an hour, until we change our mind. In the plugin its future is dropped where it waits.
const mind = new AbortController();
const delivery = shop.call('deliver', 60, { signal: mind.signal });
tell('cancel', 'a delivery begins that takes an hour');
const ended = delivery.catch((error) => tell('cancel', `its signal is aborted, and the call ends: ${error.name}`));
await sleep(20);
mind.abort();
await ended;
await shop.flushLogs();
await shop.close();
