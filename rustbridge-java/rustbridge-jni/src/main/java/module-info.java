/** The backend of rustbridge over JNI, for JDK 17 and later. It has no additional API. */
module io.github.rustbridge.jni {
  requires io.github.rustbridge;

  provides io.github.rustbridge.BackendProvider with
      io.github.rustbridge.jni.JniBackendProvider;
}
