// Refuses to run as a part of a bundle: the bundle has this code, and not the native library beside it.

const isBundled = !import.meta.url?.endsWith('/bundled.mjs');
if (isBundled && !process.env['RUSTBRIDGE_NODE_ADDON']) {
  throw new Error(
    'rustbridge is in a bundle, which has no native library: leave the package out of it (esbuild: --external:rustbridge; webpack: ' +
      "externals: { rustbridge: 'node-commonjs rustbridge', 'rustbridge/typed': 'node-commonjs rustbridge/typed' }; " +
      "vite: ssr.external: ['rustbridge']), and install it where the bundle runs",
  );
}
