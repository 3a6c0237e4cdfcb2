// The shop's host in Node: calls methods of a basket, serves prices, follows a parcel, and cancels a delivery.
//
// Usage: node main.mjs PATH-OF-SHOP-PLUGIN

import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'rustbridge';

const began = performance.now();

/** Prints an event, and the time since the program started. */
function tell(happened, text) {
  console.log(JSON.stringify({ host: 'Node', transport: 'Node-API', happened, text, at_ms: Math.floor(performance.now() - began) }));
}

/** The plugin calls this service, and waits for the result. */
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

// An object is a value that stays in the plugin. Closing it releases it.
const basket = await shop.call('enter');
for (const article of ['bread', 'milk']) {
  const count = await basket.call('put', article);
  tell('object', `${article} is put into the basket, which holds ${count}`);
}
tell('object', `the basket costs ${await basket.call('total')} in all`);
basket.close();

// A stream delivers each item as soon as it's ready. The window allows one item at a time.
for await (const place of shop.stream('follow', 7, { window: 1 })) {
  tell('stream', place);
}
tell('stream', 'that was the last');

// A call that would take an hour, but is cancelled. In the plugin, its future is dropped while it waits.
const mind = new AbortController();
const delivery = shop.call('deliver', 60, { signal: mind.signal });
tell('cancel', 'a delivery begins that takes an hour');
const ended = delivery.catch((error) => tell('cancel', `its signal is aborted, and the call ends: ${error.name}`));
await sleep(20);
mind.abort();
await ended;
await shop.flushLogs();
await shop.close();
