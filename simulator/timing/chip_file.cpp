//===- chip_file.cpp - Parser of chip files -------------------------------===//
#include "simulator/timing/chip_file.h"

#include <cctype>
#include <cstdlib>

namespace kevolve::simulator {

void failChip(const std::string &name, unsigned line,
              const std::string &message) {
  throw ChipError(name + ":" + std::to_string(line) + ": " + message);
}

namespace {

class Parser {
public:
  Parser(const std::string &text, const std::string &name)
      : text(text), name(name) {}

  std::map<std::string, ChipEntry> parse() {
    std::map<std::string, ChipEntry> entries;
    parseObject([&](const std::string &key) {
      if (entries.count(key))
        fail("'" + key + "' is given twice");
      entries[key] = parseEntry(key);
    });
    skipSpace();
    if (at < text.size())
      fail("text after the closing brace");
    return entries;
  }

private:
  [[noreturn]] void fail(const std::string &message) {
    failChip(name, line, message);
  }

  void skipSpace() {
    for (; at < text.size() && std::isspace((unsigned char)text[at]); ++at)
      line += text[at] == '\n';
  }

  char peek() {
    skipSpace();
    return at < text.size() ? text[at] : '\0';
  }

  void expect(char wanted) {
    if (peek() != wanted)
      fail(std::string("expected '") + wanted + "'");
    ++at;
  }

  template <typename Member> void parseObject(Member member) {
    expect('{');
    if (peek() == '}') {
      ++at;
      return;
    }
    while (true) {
      std::string key = parseString();
      expect(':');
      member(key);
      if (peek() != ',')
        break;
      ++at;
    }
    expect('}');
  }

  std::string parseString() {
    expect('"');
    std::string result;
    for (; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' || text[at] == '\n')
        fail("a string may hold no backslash and no line break");
      result += text[at];
    }
    if (at == text.size())
      fail("a string without end");
    ++at;
    return result;
  }

  double parseNumber() {
    skipSpace();
    const char *begin = text.c_str() + at;
    char *end = nullptr;
    double number = std::strtod(begin, &end);
    if (end == begin)
      fail("expected a number or a string");
    at += end - begin;
    return number;
  }

  void parseValue(ChipEntry &entry) {
    entry.isNumber = peek() != '"';
    if (entry.isNumber)
      entry.number = parseNumber();
    else
      entry.text = parseString();
  }

  ChipEntry parseEntry(const std::string &key) {
    ChipEntry entry;
    entry.line = line;
    bool hasValue = false;
    parseObject([&](const std::string &field) {
      if (field == "value") {
        parseValue(entry);
        hasValue = true;
      } else if (field == "source") {
        entry.source = parseString();
      } else if (field == "reason") {
        entry.reason = parseString();
      } else {
        fail("'" + field + "' in '" + key +
             "': a parameter has value, source and reason");
      }
    });
    checkEntry(key, entry, hasValue);
    return entry;
  }

  void checkEntry(const std::string &key, const ChipEntry &entry,
                  bool hasValue) {
    if (!hasValue)
      fail("'" + key + "' has no value");
    if (entry.source != "P" && entry.source != "D" && entry.source != "M")
      fail("'" + key + "': source is P (published), D (derived) or M (model)");
    if (entry.reason.empty())
      fail("'" + key + "' has no reason");
  }

  const std::string &text;
  const std::string &name;
  size_t at = 0;
  unsigned line = 1;
};

} // namespace

std::map<std::string, ChipEntry> parseChipFile(const std::string &text,
                                               const std::string &name) {
  return Parser(text, name).parse();
}

} // namespace kevolve::simulator
