/** The functions of the application that a plugin calls. */
package io.github.rustbridge.services;
