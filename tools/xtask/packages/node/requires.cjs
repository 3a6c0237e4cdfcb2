const { load } = require('rustbridge');

console.log(load(process.argv[2]).callSync('greet', { name: 'Ada' }).greeting);
