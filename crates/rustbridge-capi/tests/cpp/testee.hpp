/* How the testee in C++ reads commands and gives results. */
#ifndef TEST_TESTEE_HPP
#define TEST_TESTEE_HPP

#include "check.hpp"

namespace testee {

/* What only the testee can see to be wrong. */
constexpr std::int32_t breach = INT32_MIN;

inline void read_exactly(void* to, std::size_t size) { CHECK(size == 0 || std::fread(to, size, 1, stdin) == 1); }

template <class Number>
Number read() {
  Number value{};
  read_exactly(&value, sizeof value);
  return value;
}

/* So many bytes behind `misalign` others, in memory that ends where they end. */
inline std::vector<std::byte> read_bytes(std::size_t misalign = 0) {
  std::vector<std::byte> bytes(misalign + read<std::uint64_t>());
  read_exactly(bytes.data() + misalign, bytes.size() - misalign);
  return bytes;
}

inline std::string read_text() {
  std::string text(read<std::uint64_t>(), '\0');
  read_exactly(text.data(), text.size());
  return text;
}

/* Bytes on their way to the judge. */
class Written {
 public:
  template <class Number>
  Written& number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }

  Written& bytes(rustbridge::BytesView some) {
    number(static_cast<std::uint64_t>(some.size()));
    bytes_.append(some.text());
    return *this;
  }

  Written& error(const rustbridge::Error& error) {
    return bytes(error.message()).bytes(error.type()).bytes(error.details()).bytes(error.backtrace());
  }

  const std::string& all() const { return bytes_; }

 private:
  std::string bytes_;
};

inline void give(char command, std::int32_t status, std::string_view bytes) {
  std::uint64_t size = bytes.size();
  CHECK(std::fputc(command, stdout) != EOF);
  CHECK(std::fwrite(&status, sizeof status, 1, stdout) == 1);
  CHECK(std::fwrite(&size, sizeof size, 1, stdout) == 1);
  CHECK(bytes.empty() || std::fwrite(bytes.data(), bytes.size(), 1, stdout) == 1);
  CHECK(std::fflush(stdout) == 0);
}

inline void give(char command, const rustbridge::Error& error) {
  give(command, static_cast<std::int32_t>(error.status()), Written().error(error).all());
}

}  // namespace testee

#endif
