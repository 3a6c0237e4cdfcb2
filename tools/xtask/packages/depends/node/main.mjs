import { FirstMinute } from 'first-minute';
const plugin = FirstMinute.load();
console.log((await plugin.greet({ name: 'Ada', languages: ['de'] })).text);
await plugin.close();
