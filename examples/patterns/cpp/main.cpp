// Prints the lines of files that contain a pattern, as grep does. The pattern is compiled once, and is an object in the plugin.
//
// Usage: patterns_plugin_host LIBRARY [-cFilnov] PATTERN [FILE...]
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "patterns.hpp"

namespace {

// The exit codes, which are those of grep.
enum Ending { found = 0, nothing = 1, trouble = 2 };

constexpr std::string_view usage = R"(usage: patterns_plugin_host LIBRARY [-cFilnov] PATTERN [FILE...]

Prints the lines of the files, or of standard input, that the pattern is in.

  -c  prints how many there are instead
  -F  takes the pattern as the text to be found
  -i  takes small letters and capitals as the same
  -l  prints the names of the files that it's in instead
  -n  prints each line's number
  -o  prints only what was found of a line, each time that it's there
  -v  takes the other lines
)";

struct Options {
  bool count = false, literal = false, ignore_case = false, names = false, numbers = false, only = false, inverted = false;
  std::string pattern;
  std::vector<std::string> files;
};

// Parses the arguments after the library. Returns false if they are invalid.
bool read(const std::vector<std::string>& arguments, Options& options) {
  std::size_t next = 0;
  for (; next < arguments.size() && arguments[next].size() > 1 && arguments[next][0] == '-'; ++next) {
    if (arguments[next] == "--") {
      ++next;
      break;
    }
    for (char letter : arguments[next].substr(1)) {
      switch (letter) {
        case 'c': options.count = true; break;
        case 'F': options.literal = true; break;
        case 'i': options.ignore_case = true; break;
        case 'l': options.names = true; break;
        case 'n': options.numbers = true; break;
        case 'o': options.only = true; break;
        case 'v': options.inverted = true; break;
        default: return false;
      }
    }
  }
  if (next == arguments.size()) {
    return false;
  }
  options.pattern = arguments[next];
  options.files.assign(arguments.begin() + next + 1, arguments.end());
  if (options.files.empty()) {
    options.files.emplace_back("-");
  }
  return true;
}

// Searches a file, prints the output that the options request, and returns the number of selected lines. With -l, stops at the first.
std::size_t search(patterns::Pattern& pattern, const Options& options, const std::string& name, std::istream& in) {
  const std::string before = options.files.size() > 1 ? name + ":" : "";
  std::size_t taken = 0, number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    // The positions are requested only if they are printed: `matches` stops at the first match.
    if (pattern.matches(line) == options.inverted) {
      continue;
    }
    ++taken;
    if (options.names) {
      break;
    }
    if (options.count) {
      continue;
    }
    const std::string place = options.numbers ? before + std::to_string(number) + ":" : before;
    if (options.only && !options.inverted) {
      for (const auto& span : pattern.find_all(line)) {
        std::cout << place << std::string_view(line).substr(span.start, span.end - span.start) << '\n';
      }
    } else {
      std::cout << place << line << '\n';
    }
  }
  if (options.names && taken > 0) {
    std::cout << name << '\n';
  } else if (options.count) {
    std::cout << before << taken << '\n';
  }
  return taken;
}

// Searches all files, and returns the exit code. If a file can't be read or isn't text, the others are still searched.
int search_all(patterns::Pattern& pattern, const Options& options) {
  int ending = nothing;
  bool in_trouble = false;
  for (const auto& name : options.files) {
    std::ifstream file;
    if (name != "-") {
      // The system may allow opening a folder, which would then look like an empty file.
      std::error_code unknown;
      if (!std::filesystem::is_directory(name, unknown)) {
        file.open(name, std::ios::binary);
      }
      if (!file.is_open()) {
        std::cerr << name << ": it can't be read\n";
        in_trouble = true;
        continue;
      }
    }
    std::istream& in = name == "-" ? std::cin : file;
    try {
      if (search(pattern, options, name, in) > 0) {
        ending = found;
      }
      if (in.bad()) {
        std::cerr << name << ": it can't be read to its end\n";
        in_trouble = true;
      }
    } catch (const rustbridge::Error& failed) {
      // For example, the client refuses a line that isn't UTF-8 before the plugin sees it.
      std::cerr << name << ": " << failed.what() << '\n';
      in_trouble = true;
    }
  }
  return in_trouble ? trouble : ending;
}

// Returns a blank for each character before an offset in a UTF-8 text.
std::string blanks(std::string_view text, std::size_t before) {
  text = text.substr(0, before);
  const auto characters = std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xC0) != 0x80; });
  return std::string(characters, ' ');
}

}  // namespace

int main(int count, char** arguments) try {
  Options options;
  if (count < 3 || !read({arguments + 2, arguments + count}, options)) {
    std::cerr << usage;
    return trouble;
  }
  std::ios::sync_with_stdio(false);
  auto plugin = patterns::Patterns::load(arguments[1]);
  try {
    auto pattern = plugin.compile(options.pattern, {.ignore_case = options.ignore_case, .literal = options.literal});
    return search_all(pattern, options);
  } catch (const patterns::PatternException& failed) {
    if (const auto* wrong = failed.error().get_if<patterns::PatternError::Syntax>()) {
      std::cerr << wrong->problem << ":\n  " << wrong->pattern << "\n  " << blanks(wrong->pattern, wrong->at) << "^\n";
    } else {
      std::cerr << failed.message() << '\n';
    }
    return trouble;
  }
} catch (const std::exception& failed) {
  std::cerr << failed.what() << '\n';
  return trouble;
}
