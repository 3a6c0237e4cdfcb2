/** What calls cost, ours and written by hand, in the same run. */
package io.github.rustbridge.benchmarks;
