package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.ResponseReader;
import io.github.rustbridge.internal.Threads;
import java.lang.reflect.Type;

/**
 * Decodes successful responses, or items, to types of the API.
 *
 * @param <R> the type of the decoded value
 */
interface Decoder<R> extends ResponseReader<R> {
  Decoder<byte[]> BYTES = Answer::bytes;

  Decoder<String> TEXT = answer -> Text.decode(answer.bytes(), 0, answer.bytes().length);

  @Override
  default PluginException failure(Answer answer) {
    return PluginFailures.exceptionOf(answer);
  }

  /** Returns the decoder of a type: of JSON, an object, or the response with its objects. */
  @SuppressWarnings("unchecked")
  static <R> Decoder<R> of(Plugin plugin, Type type) {
    if (type == PluginObject.class) {
      return (Decoder<R>) plugin.decoders().object;
    }
    if (type == Reply.class) {
      return (Decoder<R>) plugin.decoders().reply;
    }
    return answer -> (R) plugin.codec().decode(answer.bytes(), type);
  }

  /** The decoders of responses with objects, which belong to one plugin. */
  final class OfObjects {
    final Decoder<Reply> reply;
    final Decoder<PluginObject> object;

    OfObjects(Plugin plugin) {
      reply = new ReplyDecoder(plugin);
      object = new ObjectDecoder(plugin);
    }
  }

  /** Decodes a response with its metadata and objects. */
  record ReplyDecoder(Plugin plugin) implements Decoder<Reply> {
    @Override
    public Reply read(Answer answer) {
      return new Reply(plugin, answer);
    }

    @Override
    public void discard(Reply reply) {
      reply.close();
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }

  /** Decodes a response to its only object. */
  record ObjectDecoder(Plugin plugin) implements Decoder<PluginObject> {
    @Override
    public PluginObject read(Answer answer) {
      Reply reply = new Reply(plugin, answer);
      try {
        return reply.object();
      } catch (IllegalStateException none) {
        // On another thread: the caller may hold a lock, and the plugin's destructors may block.
        Threads.DEFAULT_EXECUTOR.execute(reply::close);
        throw none;
      }
    }

    @Override
    public void discard(PluginObject object) {
      object.close();
    }

    @Override
    public boolean takesObjects() {
      return true;
    }
  }
}
