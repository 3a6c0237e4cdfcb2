/** Memory that calls borrow and return, for the backends and for typed methods. */
package io.github.rustbridge.memory;
