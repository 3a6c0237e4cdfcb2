/**
 * The native library as the other packages see it: its functions, the layout of its structs, the
 * memory that calls borrow, and the numbers that name an instance and a method.
 *
 * <p>For backends only; it may change with every version.
 */
package io.github.rustbridge.interop;
