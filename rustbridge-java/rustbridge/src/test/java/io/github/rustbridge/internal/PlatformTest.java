package io.github.rustbridge.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlatformTest {
  @ParameterizedTest
  @CsvSource({
    "Linux,amd64,linux-x86_64,libx.so",
    "Linux,aarch64,linux-aarch64,libx.so",
    "Mac OS X,aarch64,macos-aarch64,libx.dylib",
    "Mac OS X,x86_64,macos-x86_64,libx.dylib",
    "Darwin,arm64,macos-aarch64,libx.dylib",
    "Windows 11,amd64,windows-x86_64,x.dll",
    "Windows Server 2022,arm64,windows-aarch64,x.dll",
    "FreeBSD,riscv64,freebsd-riscv64,libx.so"
  })
  void systems_have_one_name_each(String os, String arch, String platform, String file) {
    Platform found = Platform.of(Map.of("os.name", os, "os.arch", arch)::get);
    assertEquals(platform, found.toString());
    assertEquals(file, found.fileName("x"));
  }

  @Test
  void a_system_that_does_not_say_what_it_is_has_a_name_too() {
    assertEquals("unknown-unknown", Platform.of(name -> null).toString());
  }
}
