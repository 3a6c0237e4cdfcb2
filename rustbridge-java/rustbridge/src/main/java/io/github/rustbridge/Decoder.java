package io.github.rustbridge;

import io.github.rustbridge.calls.Answer;
import io.github.rustbridge.calls.ResponseReader;

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
}
