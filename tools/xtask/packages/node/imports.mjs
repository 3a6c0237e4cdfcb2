import { load } from 'rustbridge';

const hello = load(process.argv[2]);
console.log((await hello.call('greet', { name: 'Ada' })).greeting);
await hello.close();
