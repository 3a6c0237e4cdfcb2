// The package for `import`. The classes are those of `require`, so that a program which does both has one of each.

import './bundled.mjs';
import rustbridge from './dist/index.js';

export const {
  inspect,
  load,
  loadAsync,
  Method,
  nativeVersion,
  Plugin,
  PluginObject,
  Reply,
  ResponseTooLargeError,
  RustbridgeError,
  ServiceCall,
  serviceCall,
  Status,
  Stream,
} = rustbridge;
