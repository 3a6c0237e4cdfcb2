/* What the C++ hosts here share: checks that say where. */
#ifndef TEST_CHECK_HPP
#define TEST_CHECK_HPP

#include <cstdio>
#include <cstdlib>

#include "rustbridge.hpp"

#define CHECK(condition)                                                          \
  do {                                                                            \
    if (!(condition)) {                                                           \
      std::fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                               \
    }                                                                             \
  } while (false)

/* The error that something throws, which has to have that status. */
template <class Do>
rustbridge::Error refused(rustbridge::Status expected, const char* file, int line, Do&& what) {
  try {
    what();
  } catch (const rustbridge::Error& error) {
    if (error.status() != expected) {
      std::fprintf(stderr, "%s:%d: expected %s, got %s\n", file, line, std::string(name_of(expected)).c_str(),
                   error.payload().c_str());
      std::exit(1);
    }
    return error;
  }
  std::fprintf(stderr, "%s:%d: nothing was thrown\n", file, line);
  std::exit(1);
}

#define REFUSED(expected, ...) \
  refused(rustbridge::Status::expected, __FILE__, __LINE__, [&] { static_cast<void>(__VA_ARGS__); })

#endif
