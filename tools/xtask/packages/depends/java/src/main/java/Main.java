import com.example.first_minute.FirstMinute;
import com.example.first_minute.Person;
import java.util.List;

public final class Main {
  public static void main(String[] arguments) {
    try (FirstMinute plugin = FirstMinute.load()) {
      System.out.println(plugin.greet(new Person("Ada", List.of("de"))).text());
    }
  }
}
