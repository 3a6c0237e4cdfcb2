import contacts.Contact;
import contacts.Contacts;
import contacts.Place;
import contacts.Portrait;
import contacts.Query;
import contacts.Reach;
import contacts.ReachError;
import contacts.ReachException;
import contacts.Registry;
import io.github.rustbridge.PluginConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * A host in Java for the contacts plugin. {@code rustbridge gen -l java} has written its client.
 *
 * <p>Usage: ContactsHost {ffm,jni} PATH-OF-CONTACTS-PLUGIN, with {@code -Drustbridge.backend} set
 * to the same backend.
 */
public final class ContactsHost {
  private static final long BEGAN = System.nanoTime();
  private static final byte[] PICTURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

  private final String transport;

  private ContactsHost(String transport) {
    this.transport = transport;
  }

  public static void main(String[] arguments) {
    boolean ffm = arguments[0].equals("ffm");
    new ContactsHost(ffm ? "FFM" : "JNI").show(Path.of(arguments[1]));
  }

  private void show(Path path) {
    try (Contacts contacts = Contacts.load(path)) {
      var ada = new Contact("Ada", new Reach.Email("ada@example.org"), List.of("maths"), 36L);
      contacts.add(ada);
      contacts.add(
          new Contact("Emmy", new Reach.Phone(49, "9131"), List.of("maths", "physics"), null));
      long count = contacts.add(new Contact("Kurt", new Reach.Nowhere(), List.of("maths"), null));
      tell(count + " people are kept");

      // atMost is left out: it has its default value, 10.
      for (Contact found : contacts.find(new Query("maths"))) {
        tell(found.name() + " is reached " + way(found.reached()));
      }

      if (contacts.rename("Emmy", "Emmy Noether")) {
        tell("Emmy has a second name now");
      }

      // A callback: the plugin calls the lambda for each contact until it returns false.
      List<String> met = new ArrayList<>();
      contacts.visit(
          contact -> {
            met.add(contact.name());
            return !contact.name().equals("Emmy Noether");
          });
      tell("the visitor has met " + String.join(" and ", met));

      contacts.portray(new Portrait("Ada", "image/png"), PICTURE);
      var found = contacts.portrait("Ada");
      tell("the picture of " + found.item0().name() + " has " + found.item1().length + " bytes");

      Place middle = contacts.middle(List.of(new Place(0, 0), new Place(4, 0), new Place(2, 3)));
      tell("the middle of three places is " + middle);

      tell(contacts.reachAsync(ada).join());
      try {
        contacts.reachAsync(new Contact("Kurt", new Reach.Nowhere(), List.of(), null)).join();
      } catch (CompletionException failed) {
        if (failed.getCause() instanceof ReachException reach
            && reach.error() instanceof ReachError.Nowhere nowhere) {
          tell(nowhere.name() + " isn't reached: " + reach.getMessage());
        }
      }
    }

    Registry homes = name -> name.equals("Ada") ? new Place(3, 4) : null;
    try (Contacts contacts = Contacts.load(path, PluginConfig.defaults(), homes)) {
      tell("it's " + contacts.distance("Ada", new Place(0, 0)) + " to Ada's home");
    }
  }

  /** Returns how a person is reached. The enum has a record for each variant. */
  private static String way(Reach reached) {
    if (reached instanceof Reach.Email email) {
      return "by mail to " + email.address();
    }
    if (reached instanceof Reach.Phone phone) {
      return "by phone, +" + phone.country() + " " + phone.number();
    }
    return "not at all";
  }

  /** Prints a text as a line of JSON, with the time since the start of the program. */
  private void tell(String text) {
    long at = (System.nanoTime() - BEGAN) / 1_000_000;
    System.out.println(
        "{\"host\":\"Java\",\"transport\":\"%s\",\"happened\":\"typed\",\"text\":\"%s\",\"at_ms\":%d}"
            .formatted(transport, text, at));
  }
}
