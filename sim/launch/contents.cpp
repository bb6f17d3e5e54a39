// SPDX-License-Identifier: MIT
#include "sim/launch/contents.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "sim/launch/compressed.h"
#include "sim/support/input_file.h"

namespace paws {
namespace {

std::string read_file(const std::filesystem::path& file, const Location& where) {
  if (const auto why = why_unreadable(file)) where.fail(file.string() + ": " + *why);
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) where.fail("cannot read " + file.string());
  return bytes;
}

/// The contents of a raw file, which may be compressed.
std::string read_raw(const std::filesystem::path& file, const Location& where) {
  std::string bytes = read_file(file, where);
  if (file.extension() != ".zst") return bytes;
  std::optional<std::string> plain = decompressed(bytes);
  if (!plain) where.fail(file.string() + " is no file of Zstandard, or damaged");
  return *std::move(plain);
}

/// A word of a text file as a number for `type`; nothing when it is none.
std::optional<Number> parse_number(const std::string& word, ElementType type) {
  const char* begin = word.data();
  const char* end = begin + word.size();
  if (is_float(type)) {
    double real = 0;
    const auto [stop, error] = std::from_chars(begin, end, real);
    if (error == std::errc() && stop == end) return real;
    return std::nullopt;
  }
  std::int64_t integer = 0;
  const auto [stop, error] = std::from_chars(begin, end, integer);
  if (error == std::errc() && stop == end) return integer;
  return std::nullopt;
}

/// Numbers apart by spaces, commas or line ends; "#" starts a comment. Each keeps its line.
std::vector<std::pair<Number, Location>> read_text(const Layer& layer, ElementType type) {
  const std::string text = read_file(layer.file, layer.where);
  std::vector<std::pair<Number, Location>> numbers;
  Location at{layer.file.string(), 1};
  std::size_t i = 0;
  const auto is_gap = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; };
  while (i < text.size()) {
    if (text[i] == '\n') {
      ++at.line;
      ++i;
    } else if (is_gap(text[i])) {
      ++i;
    } else if (text[i] == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else {
      const std::size_t begin = i;
      while (i < text.size() && text[i] != '\n' && text[i] != '#' && !is_gap(text[i])) ++i;
      const std::string word = text.substr(begin, i - begin);
      const std::optional<Number> number = parse_number(word, type);
      if (!number) at.fail(in_quotes(word) + " is not a number of type " + to_string(type));
      numbers.emplace_back(*number, at);
    }
  }
  return numbers;
}

/// A layer being written: places for its elements, one after the other.
class LayerWriter {
 public:
  LayerWriter(const Layer& layer, const Buffer& buffer, const Variables& variables,
              std::span<std::byte> out, const ContentSources& sources)
      : layer_(layer),
        buffer_(buffer),
        variables_(variables),
        out_(out),
        sources_(sources),
        range_(select(layer.selection, buffer.count, buffer.name, variables)),
        element_bytes_(size_of(buffer.type)) {}

  void write(std::uint64_t seed) {
    switch (layer_.kind) {
      case Layer::Kind::fill:
        fill();
        break;
      case Layer::Kind::range:
        range();
        break;
      case Layer::Kind::random:
        random(layer_.seed.value_or(seed));
        break;
      case Layer::Kind::values:
        values();
        break;
      case Layer::Kind::raw:
        raw();
        break;
      case Layer::Kind::text: {
        const auto numbers = read_text(layer_, buffer_.type);
        need(numbers.size(), layer_.file.string() + " has", "numbers");
        for (std::uint64_t i = 0; i < range_.count; ++i) {
          put(i, numbers[i].first, numbers[i].second);
        }
        break;
      }
      case Layer::Kind::reference:
        std::visit([this](const auto& values) { list(values); }, sources_.reference(layer_));
        break;
    }
  }

 private:
  std::byte* place(std::uint64_t i) {
    return out_.data() + (range_.offset + i * range_.every) * element_bytes_;
  }

  void put(std::uint64_t i, const Number& number, const Location& where) {
    const std::string cause = store(buffer_.type, number, place(i));
    if (!cause.empty()) where.fail("buffer " + in_quotes(buffer_.name) + ": " + cause);
  }

  /// Reals for a floating-point type, from place `i` on.
  void put(std::uint64_t i, std::span<const double> reals) {
    const std::size_t stored =
        store_reals(buffer_.type, reals, place(i), range_.every * element_bytes_);
    if (stored < reals.size()) put(i + stored, reals[stored], layer_.where);
  }
  /// Integers, from place `i` on.
  void put(std::uint64_t i, std::span<const std::int64_t> integers) {
    const std::size_t stored =
        store_integers(buffer_.type, integers, place(i), range_.every * element_bytes_);
    if (stored < integers.size()) put(i + stored, integers[stored], layer_.where);
  }
  /// All places, with numbers that `next()` gives in their order.
  template <typename Value, typename Next>
  void put_all(Next next) {
    std::vector<Value> some;
    for (std::uint64_t i = 0; i < range_.count; i += some.size()) {
      some.resize(std::min<std::uint64_t>(range_.count - i, 1024));
      for (Value& value : some) value = next();
      put(i, some);
    }
  }

  void need(std::uint64_t have, const std::string& source, const std::string& what) const {
    if (have == range_.count) return;
    layer_.where.fail(source + " " + std::to_string(have) + " " + what + ", buffer " +
                      in_quotes(buffer_.name) + " takes " + std::to_string(range_.count));
  }

  template <typename Number>
  void list(const std::vector<Number>& values) {
    need(values.size(), "reference " + in_quotes(layer_.call.function) + " gives", "values");
    if (std::is_same_v<Number, double> && !is_float(buffer_.type)) {
      for (std::uint64_t i = 0; i < range_.count; ++i) put(i, values[i], layer_.where);
    } else {
      put(0, values);
    }
  }

  // --- data ---

  [[noreturn]] void refuse(const Datum& datum, const std::string& cause) const {
    datum.where.fail("buffer " + in_quotes(buffer_.name) + " of " + to_string(buffer_.type) + ": " +
                     cause);
  }

  /// Elements that a datum takes.
  std::uint64_t elements_of(const Datum& datum) const {
    if (datum.kind != Datum::Kind::structure) return 1;
    const std::uint64_t bytes = extent(datum, variables_).bytes;
    if (bytes % size_of(buffer_.type) != 0) {
      refuse(datum,
             "a struct of " + std::to_string(bytes) + " bytes is no whole number of elements");
    }
    if (range_.every != 1) refuse(datum, "a struct takes elements in a row, \"every\" must be 1");
    return bytes / size_of(buffer_.type);
  }

  void need_pointers(const Datum& datum) const {
    if (buffer_.type == ElementType::u64 || buffer_.type == ElementType::s64) return;
    refuse(datum, "addresses need u64 or s64, or a struct");
  }

  /// A datum as bytes: of one element, or of a structure.
  std::vector<std::byte> bytes_of(const Datum& datum) const {
    std::vector<std::byte> bytes(elements_of(datum) * size_of(buffer_.type));
    if (datum.kind == Datum::Kind::plain) {
      const std::string cause =
          datum.bits ? store_bits(buffer_.type, *datum.bits, bytes.data())
                     : store(buffer_.type, datum.number[0].evaluate(variables_), bytes.data());
      if (!cause.empty()) datum.where.fail("buffer " + in_quotes(buffer_.name) + ": " + cause);
      return bytes;
    }
    if (datum.kind == Datum::Kind::address) need_pointers(datum);
    if (datum.kind == Datum::Kind::typed && size_of(datum.type) != bytes.size()) {
      refuse(datum,
             to_string(datum.type) + " has " + std::to_string(size_of(datum.type)) + " bytes");
    }
    write_datum(datum, variables_, sources_.address, bytes.data());
    return bytes;
  }

  /// Copies elements to place `i` and those after it.
  void put_bytes(std::uint64_t i, const std::vector<std::byte>& bytes) {
    const unsigned size = size_of(buffer_.type);
    for (std::size_t from = 0; from < bytes.size(); from += size) {
      std::memcpy(place(i++), bytes.data() + from, size);
    }
  }

  void values() {
    std::uint64_t total = 0;
    for (const Datum& datum : layer_.data) total += elements_of(datum);
    need(total, "\"values\" has", "elements");
    std::uint64_t i = 0;
    for (const Datum& datum : layer_.data) {
      put_bytes(i, bytes_of(datum));
      i += elements_of(datum);
    }
  }

  void fill() {
    const Datum& datum = layer_.data[0];
    const std::uint64_t elements = elements_of(datum);
    if (range_.count % elements != 0) {
      refuse(datum, "a struct of " + std::to_string(elements) + " elements does not fill " +
                        std::to_string(range_.count));
    }
    const std::vector<std::byte> bytes = bytes_of(datum);
    for (std::uint64_t i = 0; i < range_.count; i += elements) put_bytes(i, bytes);
  }

  // --- generated ---

  Number number(std::size_t i) const { return layer_.data[i].number[0].evaluate(variables_); }

  /// start + i step, or nothing on overflow.
  static std::optional<std::int64_t> term(std::int64_t start, std::uint64_t i, std::int64_t step) {
    std::int64_t value = 0;
    if (__builtin_mul_overflow(static_cast<std::int64_t>(i), step, &value) ||
        __builtin_add_overflow(value, start, &value)) {
      return std::nullopt;
    }
    return value;
  }

  void range() {
    if (layer_.data[0].kind == Datum::Kind::address) {
      addresses();
      return;
    }
    const Number start = number(0);
    const Number step = number(1);
    const auto* first = std::get_if<std::int64_t>(&start);
    const auto* stride = std::get_if<std::int64_t>(&step);
    const auto real = [](const Number& n) {
      return std::visit([](auto v) { return static_cast<double>(v); }, n);
    };
    for (std::uint64_t i = 0; i < range_.count; ++i) {
      if (first == nullptr || stride == nullptr) {
        put(i, real(start) + static_cast<double>(i) * real(step), layer_.where);
        continue;
      }
      const auto value = term(*first, i, *stride);
      if (!value) {
        layer_.where.fail("buffer " + in_quotes(buffer_.name) + ": the range does not fit 64 bits");
      }
      put(i, *value, layer_.where);
    }
  }

  /// Addresses in a row: of rows, or of the structures that follow each other.
  void addresses() {
    const Datum& start = layer_.data[0];
    need_pointers(start);
    const std::uint64_t first = address_of(start, variables_, sources_.address);
    const BufferAddress target = sources_.address(start.buffer);
    const auto offset = static_cast<std::int64_t>(first - target.address);
    const Number step = number(1);
    const auto* stride = std::get_if<std::int64_t>(&step);
    if (stride == nullptr) refuse(layer_.data[1], to_string(step) + " is no number of bytes");
    const auto last = term(offset, range_.count - 1, *stride);
    if (!last || *last < 0 || *last > static_cast<std::int64_t>(target.bytes)) {
      refuse(start, "the range of " + std::to_string(range_.count) + " addresses, " +
                        std::to_string(*stride) + " bytes apart, leaves buffer " +
                        in_quotes(start.buffer) + " of " + std::to_string(target.bytes) + " bytes");
    }
    for (std::uint64_t i = 0; i < range_.count; ++i) {
      const std::uint64_t address = first + i * static_cast<std::uint64_t>(*stride);
      std::memcpy(place(i), &address, sizeof(address));
    }
  }

  void random(std::uint64_t seed) {
    const Number low = number(0);
    const Number high = number(1);
    RandomStream stream(seed);
    if (is_float(buffer_.type)) {
      const auto real = [](const Number& n) {
        return std::visit([](auto v) { return static_cast<double>(v); }, n);
      };
      if (!(real(low) <= real(high))) bad_bounds(low, high);
      const double first = real(low);
      const double last = real(high);
      put_all<double>([&] { return stream.real(first, last); });
      return;
    }
    // Checks that both are integers of the type, in place of element 0, which is overwritten.
    put(0, low, layer_.data[0].where);
    put(0, high, layer_.data[1].where);
    const auto first = std::get<std::int64_t>(low);
    const auto last = std::get<std::int64_t>(high);
    if (first > last) bad_bounds(low, high);
    put_all<std::int64_t>([&] { return stream.integer(first, last); });
  }

  [[noreturn]] void bad_bounds(const Number& low, const Number& high) const {
    layer_.where.fail("buffer " + in_quotes(buffer_.name) + ": random bounds are out of order: " +
                      to_string(low) + ", " + to_string(high));
  }

  void raw() {
    const std::string bytes = read_raw(layer_.file, layer_.where);
    const unsigned size = size_of(buffer_.type);
    if (bytes.size() != range_.count * size) {
      layer_.where.fail(layer_.file.string() + " has " + std::to_string(bytes.size()) +
                        " bytes, buffer " + in_quotes(buffer_.name) + " takes " +
                        std::to_string(range_.count * size));
    }
    for (std::uint64_t i = 0; i < range_.count; ++i) {
      std::memcpy(place(i), bytes.data() + i * size, size);
    }
  }

  const Layer& layer_;
  const Buffer& buffer_;
  const Variables& variables_;
  std::span<std::byte> out_;
  const ContentSources& sources_;
  Range range_;
  unsigned element_bytes_;
};

}  // namespace

Number Scalar::evaluate(const Variables& variables) const {
  if (const auto* expression = std::get_if<Expression>(&value)) {
    return expression->evaluate(variables);
  }
  return std::get<double>(value);
}

std::int64_t RandomStream::integer(std::int64_t low, std::int64_t high) {
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t next = engine_();
  if (span == 0) return static_cast<std::int64_t>(next);  // all 2^64 integers
  __extension__ using Wide = unsigned __int128;
  const auto scaled = static_cast<std::uint64_t>((static_cast<Wide>(next) * span) >> 64);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + scaled);
}

double RandomStream::real(double low, double high) {
  return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
}

std::uint64_t buffer_seed(std::uint64_t workload_seed, const std::string& buffer) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : buffer) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return workload_seed + hash;
}

Range select(const Selection& selection, std::uint64_t count, const std::string& buffer,
             const Variables& variables) {
  const auto last = static_cast<std::int64_t>(count) - 1;
  const auto offset =
      selection.offset.evaluate(variables, "\"offset\" into buffer " + in_quotes(buffer), 0, last);
  const auto every =
      selection.every.evaluate(variables, "\"every\"", 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t available = (last - offset) / every + 1;
  Range range{static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(every),
              static_cast<std::uint64_t>(available)};
  if (selection.count) {
    range.count = static_cast<std::uint64_t>(selection.count->evaluate(
        variables, "\"count\" of elements of buffer " + in_quotes(buffer), 1, available));
  }
  return range;
}

void write_layers(const std::vector<Layer>& layers, const Buffer& buffer, std::uint64_t seed,
                  const Variables& variables, std::span<std::byte> out,
                  const ContentSources& sources) {
  for (const Layer& layer : layers) {
    LayerWriter(layer, buffer, variables, out, sources).write(seed);
  }
}

void save_contents(const SaveFile& save, ElementType type, std::span<const std::byte> bytes) {
  std::ofstream out(save.file, std::ios::binary);
  if (save.format == FileFormat::raw) {
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  } else {
    for (std::uint64_t i = 0; i < bytes.size() / size_of(type); ++i) {
      out << format_element(type, bytes.data(), i) << '\n';
    }
  }
  out.close();
  if (!out) throw InputError(save.file.string(), "cannot write");
}

}  // namespace paws
