package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.rustbridge.calls.Contexts;
import io.github.rustbridge.internal.Loggers;
import io.github.rustbridge.interop.AbiLayout;
import io.github.rustbridge.interop.Natives;
import io.github.rustbridge.interop.ServiceSink;
import java.lang.reflect.Proxy;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class ServiceDeclarationTest {
  /** A native library that does something while a call gets its number, which is 0. */
  private static Natives deferring(Runnable meanwhile) {
    return (Natives)
        Proxy.newProxyInstance(
            Natives.class.getClassLoader(),
            new Class<?>[] {Natives.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("serviceDefer")) {
                meanwhile.run();
              }
              return switch (method.getName()) {
                case "address" -> 4096L;
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> method.getReturnType() == int.class ? 0 : null;
              };
            });
  }

  @Test
  void a_call_that_is_cancelled_while_it_gets_its_number_cancels_its_answer() {
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    AtomicReference<ServiceSink> sink = new AtomicReference<>();
    Natives natives = deferring(() -> sink.get().cancelled(0));
    Logging logging = new Logging(null, Loggers::of, null);
    sink.set(
        ServiceDeclaration.later("prices.get", Encoding.RAW, (request, call) -> answer)
            .registered(natives, null, logging, new Contexts(null), null)
            .sink());
    byte[] none = {};
    assertEquals(AbiLayout.RB_PENDING, sink.get().call(1, 2, none, -1, none, none, none, 0));
    assertThrows(CancellationException.class, () -> answer.get(30, TimeUnit.SECONDS));
  }
}
