/** JNA, a peer: the same native work as the floors', reached by JNA. */
package io.github.rustbridge.benchmarks.jna;
