// The package's types for `import`.

export * from './dist/index.js';
