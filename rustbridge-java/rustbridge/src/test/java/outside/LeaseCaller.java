package outside;

/** Stands for the code of an application: it's in no package of ours. */
public final class LeaseCaller {
  /** How a stack frame names the place below. */
  public static final String PLACE = "outside.LeaseCaller.call(LeaseCaller.java:11)";

  private LeaseCaller() {}

  public static void call(Runnable body) {
    body.run();
  }
}
