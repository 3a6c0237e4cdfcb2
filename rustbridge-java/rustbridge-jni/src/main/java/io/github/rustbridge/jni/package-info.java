/** The backend over JNI. {@link java.util.ServiceLoader} finds it. */
package io.github.rustbridge.jni;
