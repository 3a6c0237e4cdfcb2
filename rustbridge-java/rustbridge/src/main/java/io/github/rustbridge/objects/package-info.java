/** The objects of plugins, by their numbers. */
package io.github.rustbridge.objects;
