// What typed clients stand on, for `import`.

import './bundled.mjs';

export * from './dist/typed/index.js';
