import java.security.Provider;
import java.security.SecureRandomSpi;
import java.util.Random;

/**
 * Random numbers for the tests under Wine. The JDK's own generator seeds itself with what it finds out about the network, by a
 * function that Wine 8 lacks, and the JVM dies of it. These numbers are good for names of temporary files and for nothing else.
 */
public final class WineRandom extends Provider {
  private static final long serialVersionUID = 1;

  public WineRandom() {
    super("WineRandom", "1", "random numbers of java.util.Random, for tests");
    put("SecureRandom.WineRandom", Numbers.class.getName());
  }

  /** The numbers. */
  public static final class Numbers extends SecureRandomSpi {
    private static final long serialVersionUID = 1;

    private final Random random = new Random();

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int count) {
      byte[] seed = new byte[count];
      random.nextBytes(seed);
      return seed;
    }
  }
}
