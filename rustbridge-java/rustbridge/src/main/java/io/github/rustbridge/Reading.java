package io.github.rustbridge;

import java.lang.reflect.Type;

/**
 * The decoding of a successful response, or of an item.
 *
 * @param <R> what it becomes
 */
interface Reading<R> {
  Reading<byte[]> BYTES = (plugin, answer) -> answer.bytes();

  Reading<String> TEXT = (plugin, answer) -> Text.decode(answer.bytes(), 0, answer.bytes().length);

  Reading<Reply> REPLY =
      new Reading<>() {
        @Override
        public Reply read(Plugin plugin, Answer answer) {
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
      };

  /** For the only object that comes with it. */
  Reading<Object> OBJECT =
      new Reading<>() {
        @Override
        public Object read(Plugin plugin, Answer answer) {
          Reply reply = new Reply(plugin, answer);
          try {
            return reply.object();
          } catch (IllegalStateException none) {
            // Elsewhere: who reads may hold a lock, and the plugin's destructors may block.
            CallOptions.ELSEWHERE.execute(reply::close);
            throw none;
          }
        }

        @Override
        public void discard(Object object) {
          ((PluginObject) object).close();
        }

        @Override
        public boolean takesObjects() {
          return true;
        }
      };

  /** Reads it. */
  R read(Plugin plugin, Answer answer);

  /** What a call throws whose answer isn't fine. */
  default PluginException failure(Answer answer) {
    return answer.failure();
  }

  /** Releases what was read, which nobody gets. */
  default void discard(R value) {}

  /** Whether objects that come beside it reach somebody. */
  default boolean takesObjects() {
    return false;
  }

  /** Reads JSON as a type, or has the object or all that came. */
  @SuppressWarnings("unchecked")
  static <R> Reading<R> as(Type type) {
    if (type == PluginObject.class) {
      return (Reading<R>) OBJECT;
    }
    if (type == Reply.class) {
      return (Reading<R>) REPLY;
    }
    return (plugin, answer) -> (R) plugin.codec().decode(answer.bytes(), type);
  }
}
