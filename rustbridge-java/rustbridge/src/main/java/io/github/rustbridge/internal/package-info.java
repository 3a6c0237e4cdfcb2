/** What only the core itself uses. */
package io.github.rustbridge.internal;
