package io.github.rustbridge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "plain",
        "Is this a question? Yes, and a longer one.",
        "caf\u00e9",
        "caf\u00e9? \u4e16\u754c",
        "\ud83d\ude00",
        "a\u0000b",
        "\ufffd",
        "\uffff\ufffe",
        "text with the replacement \ufffd in it"
      })
  void what_utf8_can_express_goes_there_and_back(String text) {
    byte[] bytes = Text.encode(text);
    assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), bytes);
    assertEquals(text, Text.decode(bytes, 0, bytes.length));
  }

  @Test
  void unpaired_surrogates_are_refused_wherever_they_are() {
    for (String lone : new String[] {"\ud800", "\udfff", "\udc00\ud800"}) {
      for (int before = 0; before < 20; before++) {
        for (String around : new String[] {"a", "?", "\u00e9", "\u4e16"}) {
          String text = around.repeat(before) + lone + around.repeat(20 - before);
          PluginException error = assertThrows(PluginException.class, () -> Text.encode(text));
          assertEquals(Status.INVALID_ARGUMENT, error.status());
          assertEquals("rustbridge.InvalidRequest", error.type());
          assertTrue(error.getMessage().contains("at index " + before + ","), error.getMessage());
          assertTrue(
              error.getMessage().contains(String.format("U+%04X", (int) lone.charAt(0))),
              error.getMessage());
        }
      }
    }
  }

  @Test
  void a_pair_before_the_unpaired_one_is_not_blamed() {
    PluginException error =
        assertThrows(PluginException.class, () -> Text.encode("\ud83d\ude00\ud83d!"));
    assertTrue(error.getMessage().contains("U+D83D) at index 2"), error.getMessage());
  }

  @Test
  void what_is_not_utf8_is_refused() {
    int[][] wrong = {
      {0xff},
      {0xc3},
      {0xc3, 0x28},
      {0xed, 0xa0, 0x80},
      {0xc0, 0x80},
      {0xf4, 0x90, 0x80, 0x80},
      {0x80}
    };
    for (int[] sequence : wrong) {
      byte[] bytes = new byte[3 + sequence.length];
      bytes[0] = 'a';
      bytes[1] = 'b';
      for (int i = 0; i < sequence.length; i++) {
        bytes[2 + i] = (byte) sequence[i];
      }
      bytes[bytes.length - 1] = 'c';
      PluginException error =
          assertThrows(PluginException.class, () -> Text.decode(bytes, 1, bytes.length - 1));
      assertEquals(Status.DATA_LOSS, error.status());
      assertEquals("rustbridge.InvalidResponse", error.type());
      assertTrue(error.getMessage().contains("its byte 1 is invalid"), error.getMessage());
    }
  }

  @Test
  void only_the_given_bytes_are_decoded() {
    byte[] bytes = {(byte) 0xff, 'a', (byte) 0xc3, (byte) 0xa9, (byte) 0xff};
    assertEquals("a\u00e9", Text.decode(bytes, 1, 3));
    assertEquals("", Text.decode(bytes, 2, 0));
  }

  @Test
  void random_strings_are_either_kept_or_refused() {
    Random random = new Random(7);
    char[] alphabet = {'a', '?', '\u00e9', '\u4e16', '\ufffd', '\ud83d', '\ude00'};
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(24); i > 0; i--) {
        text.append(alphabet[random.nextInt(alphabet.length)]);
      }
      boolean valid = StandardCharsets.UTF_8.newEncoder().canEncode(text);
      try {
        byte[] bytes = Text.encode(text.toString());
        assertTrue(valid);
        assertEquals(text.toString(), Text.decode(bytes, 0, bytes.length));
      } catch (PluginException error) {
        assertTrue(!valid);
        refused++;
      }
    }
    assertTrue(refused > 0);
  }
}
