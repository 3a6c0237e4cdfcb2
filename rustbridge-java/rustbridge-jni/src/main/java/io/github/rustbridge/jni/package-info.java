/** The way into the native library over JNI; found by {@link java.util.ServiceLoader}. */
package io.github.rustbridge.jni;
