package io.github.rustbridge.objects;

/**
 * An argument of calls for which each call creates an object of the plugin. The object is released
 * when the call has been submitted, or has ended.
 */
public interface ObjectSource {
  /**
   * Creates an object.
   *
   * @return the object's number
   */
  long create();

  /** Releases an object that {@link #create} returned, if no call was submitted with it. */
  void release(long number);
}
