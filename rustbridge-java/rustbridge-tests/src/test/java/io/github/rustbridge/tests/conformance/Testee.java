package io.github.rustbridge.tests.conformance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.rustbridge.Encoding;
import io.github.rustbridge.LogLevel;
import io.github.rustbridge.LogRecord;
import io.github.rustbridge.Method;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.PluginException;
import io.github.rustbridge.State;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The testee in Java: does what the judge of the conformance cases tells it, and says what came of
 * it. {@code conformance/protocol.md} has both sides of that.
 */
final class Testee {
  /**
   * What a storage has when a case says nothing: larger than most responses, and too small for
   * some.
   */
  private static final int ORDINARY = 70_000;

  private static final int BREACH = Integer.MIN_VALUE;
  static final ObjectMapper JSON = new ObjectMapper();

  private final DataInputStream commands;
  private final OutputStream results;
  private final Map<Integer, Plugin> plugins = new HashMap<>();
  private final Map<Integer, List<LogRecord>> records = new HashMap<>();
  private final List<Method> methods = new ArrayList<>();
  private final Pending pending = new Pending(methods);
  private final Map<Integer, Services> services = new HashMap<>();

  private Testee(DataInputStream commands, OutputStream results) {
    this.commands = commands;
    this.results = results;
  }

  /** Whatever a command leads to, once all of it has been read. */
  interface Act {
    byte[] run();
  }

  public static void main(String[] arguments) throws IOException {
    OutputStream results = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
    // Whatever else is printed must not get between the results.
    System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
    new Testee(new DataInputStream(new BufferedInputStream(System.in)), results).run();
  }

  private void run() throws IOException {
    for (int letter = commands.read(); letter >= 0; letter = commands.read()) {
      Act act = command(letter);
      try {
        give(letter, 0, act.run());
      } catch (PluginException failure) {
        give(letter, failure.status().number(), fields(failure));
      } catch (RuntimeException | Error problem) {
        StringWriter trace = new StringWriter();
        problem.printStackTrace(new PrintWriter(trace));
        give(letter, BREACH, utf8(trace.toString()));
      }
    }
  }

  private Act command(int letter) throws IOException {
    if (letter == 'H') {
      return Testee::hello;
    }
    int number = commands.readUnsignedByte();
    switch (letter) {
      case 'L':
        return load(number);
      case 'P':
        String name = text();
        return prepare(encoding -> plugins.get(number).method(name, encoding));
      case 'I':
        int id = u32();
        return prepare(encoding -> plugins.get(number).method(id, encoding));
      case 'C':
        return call();
      case 'X':
        Duration timeout = Duration.ofMillis(u64());
        return () -> nothing(() -> plugins.get(number).close(timeout));
      case 'S':
        return () -> utf8(plugins.get(number).state().name().toLowerCase(Locale.ROOT));
      case 'V':
        LogLevel level = LogLevel.valueOf(text());
        return () -> nothing(() -> plugins.get(number).setLogLevel(level));
      case 'F':
        return () -> flush(number);
      case 'D':
        return () -> drop(number);
      case 'Y':
        Duration limit = Duration.ofMillis(u64());
        Duration after = Duration.ofMillis(u64());
        return () -> nothing(() -> plugins.get(number).close(limit, after));
      case 'R':
        return register(number);
      case 'A':
        return () -> services(number).asked();
      default:
        return pending.command(letter, this);
    }
  }

  private static byte[] hello() {
    StringBuilder hello = new StringBuilder("protocol 1\n");
    hello.append("host java/").append(System.getProperty("rustbridge.backend")).append('\n');
    for (String need :
        List.of("header", "operations", "services", "objects", "offload", "exceptions")) {
      hello.append("offers ").append(need).append('\n');
    }
    for (Way way : Way.values()) {
      hello.append("way ").append(way.name().toLowerCase(Locale.ROOT));
      hello.append(way.hasStorage() ? " storage=" + ORDINARY : "");
      hello.append(way.canMisalign() ? " misalign" : "");
      hello.append(way == Way.TEXT ? " text" : "");
      hello.append(way == Way.OBJECTS ? " value\n" : "\n");
    }
    return utf8(hello.toString());
  }

  private Act load(int number) throws IOException {
    Path library = Path.of(text());
    int form = commands.readUnsignedByte();
    byte[] config = bytes();
    boolean poison = commands.readBoolean();
    LogLevel level = LogLevel.valueOf(text());
    boolean withSink = commands.readBoolean();
    return () -> {
      PluginConfig options =
          switch (form) {
            case 0 -> PluginConfig.defaults();
            case 1 -> PluginConfig.json(new String(config, StandardCharsets.UTF_8));
            default -> PluginConfig.json(config);
          };
      options = (poison ? options.poisonOnPanic() : options).logLevel(level);
      if (withSink) {
        List<LogRecord> kept = new CopyOnWriteArrayList<>();
        records.put(number, kept);
        options = options.logListener(kept::add);
      }
      options = services(number).registered(options);
      Plugin plugin = Plugin.load(library, options);
      plugins.put(number, plugin);
      if (!plugin.backend().equals(System.getProperty("rustbridge.backend"))) {
        throw new IllegalStateException("the backend is " + plugin.backend());
      }
      return new byte[0];
    };
  }

  private Services services(int number) {
    return services.computeIfAbsent(number, key -> new Services(() -> plugins.get(number)));
  }

  private Act register(int number) throws IOException {
    String name = text();
    u32();
    Encoding encoding = Encoding.valueOf(text().toUpperCase(Locale.ROOT));
    int mode = commands.readUnsignedByte();
    int status = u32();
    byte[] answer = bytes();
    return () -> nothing(() -> services(number).add(name, encoding, mode, status, answer));
  }

  private interface Preparation {
    Method in(Encoding encoding);
  }

  private Act prepare(Preparation preparation) throws IOException {
    u32();
    Encoding encoding = Encoding.valueOf(text().toUpperCase(Locale.ROOT));
    return () -> {
      methods.add(preparation.in(encoding));
      return ByteBuffer.allocate(4)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(methods.size() - 1)
          .array();
    };
  }

  private Act call() throws IOException {
    Method method = methods.get(u32());
    Way way = Way.values()[commands.readUnsignedByte()];
    commands.readUnsignedByte();
    int capacity = (int) u64();
    int offset = commands.readUnsignedByte();
    byte[] request = bytes();
    return () -> {
      if (way.hasStorage() && capacity < method.responseSize()) {
        way.refusesStorageTooSmallForPod(method, request, capacity);
      }
      return way.call(method, request, Math.max(capacity, method.responseSize()), offset);
    };
  }

  private byte[] flush(int number) {
    Plugin plugin = plugins.get(number);
    // One that is closed has delivered everything.
    if (plugin.state() != State.CLOSED) {
      plugin.flushLogs(Duration.ofSeconds(10));
    }
    List<String> texts = new ArrayList<>();
    for (LogRecord record : records.get(number)) {
      if (!record.span()) {
        texts.add(record.level().name());
        texts.add(record.target());
        texts.add(record.message());
        texts.add(json(record.fields()));
        texts.add(json(record.spans()));
      }
    }
    return texts(texts.toArray(String[]::new));
  }

  private byte[] drop(int number) {
    records.remove(number);
    services.remove(number);
    Plugin plugin = plugins.remove(number);
    if (plugin != null) {
      plugin.close();
    }
    return new byte[0];
  }

  static byte[] nothing(Runnable act) {
    act.run();
    return new byte[0];
  }

  /** Gives an error as a user sees it. */
  static byte[] fields(PluginException failure) {
    String details = failure.details().isEmpty() ? "" : json(failure.details());
    return texts(failure.getMessage(), failure.type(), details, failure.backtrace().orElse(""));
  }

  private static String json(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException problem) {
      throw new IllegalStateException(problem);
    }
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] texts(String... texts) {
    byte[][] all = new byte[texts.length][];
    int size = 0;
    for (int index = 0; index < texts.length; index++) {
      all[index] = utf8(texts[index]);
      size += Long.BYTES + all[index].length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] text : all) {
      buffer.putLong(text.length).put(text);
    }
    return buffer.array();
  }

  private void give(int letter, int status, byte[] content) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(13).order(ByteOrder.LITTLE_ENDIAN);
    head.put((byte) letter).putInt(status).putLong(content.length);
    results.write(head.array());
    results.write(content);
    results.flush();
  }

  int u8() throws IOException {
    return commands.readUnsignedByte();
  }

  int u32() throws IOException {
    return Integer.reverseBytes(commands.readInt());
  }

  long u64() throws IOException {
    return Long.reverseBytes(commands.readLong());
  }

  byte[] bytes() throws IOException {
    int length = Math.toIntExact(u64());
    byte[] bytes = commands.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  String text() throws IOException {
    return new String(bytes(), StandardCharsets.UTF_8);
  }
}
