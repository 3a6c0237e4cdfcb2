/** Memory that calls borrow and give back, for the backends and for typed methods. */
package io.github.rustbridge.memory;
