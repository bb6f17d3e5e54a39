// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "sim/launch/module_table.h"
#include "sim/launch/table_reader.h"
#include "sim/launch/workload.h"
#include "sim/support/input_file.h"
#include "sim/support/list.h"
#include "sim/support/suggestion.h"
#include "workloads/references/references.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 33;
const std::vector<std::string> kContents{"fill", "range", "random", "values", "raw", "text"};
const std::vector<std::string> kActions{"kernel", "concurrent", "fill",       "copy",
                                        "swap",   "repeat",     "until_clear"};
const std::vector<std::string> kLaunchKeys{"kernel", "module",    "grid", "block",
                                           "shared", "registers", "args"};

std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class Loader {
 public:
  Loader(const fs::path& file, const LoadOptions& options)
      : options_(options), file_(file.string()), directory_(file.parent_path()) {
    workload_.file = file;
  }

  Workload load() {
    if (const auto why = why_unreadable(workload_.file)) throw InputError(file_, *why);
    try {
      root_ = toml::parse_file(file_);
    } catch (const toml::parse_error& error) {
      Location{file_, error.source().begin.line}.fail("not TOML: " +
                                                      std::string(error.description()));
    }
    const TableReader top(root_, file_, "the launch description",
                          {"name", "description", "ptx", "module", "seed", "max_cycles",
                           "independent_threads", "size", "buffer", "symbol", "step", "expect"});
    workload_.name = top.string("name", workload_.file.stem().string());
    workload_.description = top.string("description", "");
    if (top.has("seed")) workload_.seed = as_unsigned(top.need("seed"), "\"seed\"", file_);
    workload_.seed = options_.seed.value_or(workload_.seed);
    sizes(top);
    if (top.has("max_cycles")) workload_.max_cycles = max_cycles(top);
    workload_.independent_threads = top.flag("independent_threads");
    modules_.emplace(top, file_);
    buffers(top, "symbol");
    buffers(top, "buffer");
    for (const auto& [name, where] : addressed_) buffer(name, where);
    buffers_known_ = true;
    if (!top.has("step")) top.where().fail("nothing to launch: no [[step]]");
    workload_.steps = steps(top.need("step"));
    if (top.has("expect")) {
      for (const toml::node& each : as_array(top.need("expect"), "\"expect\"", file_)) {
        workload_.expectations.push_back(expectation(each));
      }
    }
    workload_.modules = modules_->find(options_, directory_);
    return std::move(workload_);
  }

 private:
  // --- numbers ---

  /// An expression whose names are all in scope.
  Expression expression(const toml::node& node, const std::string& what) const {
    const Location where = location_of(node, file_);
    if (node.is_integer()) return {node.as_integer()->get(), where};
    if (!node.is_string()) where.fail(what + " must be an integer or an expression in a string");
    Expression out(node.as_string()->get(), where);
    for (const std::string& name : out.names()) {
      if (scope_.count(name) == 0) {
        where.fail("expression " + in_quotes(out.text()) + ": unknown variable " + in_quotes(name) +
                   suggestion(name, {scope_.begin(), scope_.end()}));
      }
    }
    return out;
  }

  Expression expression(const TableReader& table, std::string_view key,
                        std::int64_t otherwise) const {
    const toml::node* node = table.find(key);
    if (node == nullptr) return {otherwise, table.where()};
    return expression(*node, in_quotes(key));
  }

  std::optional<Expression> optional_expression(const TableReader& table,
                                                std::string_view key) const {
    if (!table.has(key)) return std::nullopt;
    return expression(table, key, 0);
  }

  Scalar scalar(const toml::node& node, const std::string& what) const {
    const Location where = location_of(node, file_);
    if (node.is_floating_point()) return {node.as_floating_point()->get(), where};
    if (!node.is_integer() && !node.is_string()) {
      where.fail(what + " must be a number or an expression in a string");
    }
    return {expression(node, what), where};
  }

  // --- data ---

  /// Where a datum stands.
  enum class Place : std::uint8_t { argument, member, element };

  Datum plain(const toml::node& node, const std::string& what) const {
    Datum out;
    out.where = location_of(node, file_);
    out.number = {scalar(node, what)};
    return out;
  }

  /// An address: hexadecimal digits in a string.
  std::uint64_t hexadecimal(const TableReader& table, const std::string& key) const {
    const std::string text = table.need_string(key);
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    if (text.starts_with("0x")) {
      const auto [stop, error] = std::from_chars(text.data() + 2, end, value, 16);
      if (error == std::errc() && stop == end) return value;
    }
    table.where(key).fail(in_quotes(key) + " must be hexadecimal digits in a string, as in " +
                          "\"0x7f0000001000\"");
  }

  /// Raw bits: an integer, or hexadecimal digits in a string, which reach 2^64 - 1.
  std::uint64_t raw_bits(const toml::node& node) const {
    if (node.is_integer() && node.as_integer()->get() >= 0) {
      return static_cast<std::uint64_t>(node.as_integer()->get());
    }
    const std::string text = node.is_string() ? node.as_string()->get() : "";
    std::uint64_t bits = 0;
    const char* end = text.data() + text.size();
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
      const auto [stop, error] = std::from_chars(text.data() + 2, end, bits, 16);
      if (error == std::errc() && stop == end) return bits;
    }
    location_of(node, file_)
        .fail(
            "\"bits\" must be an integer of 64 bits, not negative, or its hexadecimal digits in a "
            "string, as in \"0x7fc00001\"");
  }

  /// What stands behind a type: a number, or { bits = "0x7fc00001" }.
  void typed_value(const toml::node& node, const std::string& type, Datum& out) const {
    out.kind = Datum::Kind::typed;
    out.type = *element_type(type);
    if (!node.is_table()) {
      out.number = {scalar(node, in_quotes(type))};
      return;
    }
    const TableReader table(*node.as_table(), file_, in_quotes(type), {"bits"});
    out.bits = raw_bits(table.need("bits"));
  }

  /// The name of the buffer or symbol whose address is meant. Contents may name buffers that come
  /// later: load() checks these names when it knows all.
  std::string addressed(const TableReader& table) {
    if (buffers_known_) return buffer_name(table, "buffer");
    addressed_.emplace_back(table.need_string("buffer"), table.where("buffer"));
    return addressed_.back().first;
  }

  /// `what` names the place in messages.
  Datum datum(const toml::node& node, const std::string& what, Place place) {
    if (!node.is_table()) {
      if (place == Place::member) {
        location_of(node, file_).fail("a member of a struct needs its type, as in { u32 = 5 }");
      }
      return plain(node, what);
    }
    std::vector<std::string> kinds = joined({"buffer", "struct"}, element_type_names());
    kinds.emplace_back(place == Place::member ? "pad" : "bits");
    const TableReader table(*node.as_table(), file_, what, joined(kinds, {"offset"}));
    const std::string kind = choose(table, kinds, what);
    if (table.has("offset") && kind != "buffer") {
      table.where("offset").fail("only \"buffer\" takes an \"offset\"");
    }
    Datum out;
    out.where = location_of(node, file_);
    if (kind == "buffer") {
      out.kind = Datum::Kind::address;
      out.buffer = addressed(table);
      out.number = {Scalar{expression(table, "offset", 0), out.where}};
    } else if (kind == "struct") {
      out.kind = Datum::Kind::structure;
      for (const toml::node& each : as_array(table.need(kind), "\"struct\"", file_)) {
        out.members.push_back(datum(each, "a member of a struct", Place::member));
      }
      if (out.members.empty()) out.where.fail("a struct needs members");
    } else if (kind == "pad") {
      out.kind = Datum::Kind::padding;
      out.number = {Scalar{expression(table, "pad", 0), out.where}};
    } else if (kind == "bits") {
      out.bits = raw_bits(table.need(kind));
    } else {
      typed_value(table.need(kind), kind, out);
    }
    return out;
  }

  // --- [size] ---

  void sizes(const TableReader& top) {
    std::map<std::string, const toml::node*> definitions;
    std::map<std::string, const toml::table*> alternatives;
    if (top.has("size")) {
      for (const auto& [key, node] : as_table(top.need("size"), "\"size\"", file_)) {
        const std::string name(key.str());
        if (node.is_table()) {
          alternatives[name] = node.as_table();
          continue;
        }
        if (!Expression::is_name(name) || Expression::is_function(name)) {
          location_of(node, file_).fail(in_quotes(name) + " cannot name a size");
        }
        definitions[name] = &node;
        scope_.insert(name);
      }
    }
    const std::vector<std::string> known(scope_.begin(), scope_.end());
    std::vector<std::string> names;
    for (const auto& [name, table] : alternatives) {
      names.push_back(name);
      const TableReader only_known(*table, file_, std::string("[size.").append(name) + "]", known);
    }
    if (!options_.size.empty()) {
      const auto chosen = alternatives.find(options_.size);
      if (chosen == alternatives.end()) {
        throw InputError(
            file_, "has no size " + in_quotes(options_.size) + suggestion(options_.size, names));
      }
      for (const auto& [key, node] : *chosen->second) definitions[std::string(key.str())] = &node;
      workload_.size = options_.size;
    }
    for (const auto& [name, value] : options_.variables) {
      if (scope_.count(name) == 0) {
        throw InputError(file_,
                         "has no size variable " + in_quotes(name) + suggestion(name, known));
      }
      workload_.variables[name] = value;
      definitions.erase(name);
    }
    resolve(definitions);
  }

  /// The limit is generous, but so low that 16 warp instructions in each cycle can be counted.
  std::uint64_t max_cycles(const TableReader& top) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 50;
    return static_cast<std::uint64_t>(
        expression(top.need("max_cycles"), "\"max_cycles\"")
            .evaluate(workload_.variables, "\"max_cycles\"", 1, kMost));
  }

  /// Evaluates the definitions, which may use each other in any order.
  void resolve(const std::map<std::string, const toml::node*>& definitions) {
    std::map<std::string, Expression> waiting;
    for (const auto& [name, node] : definitions) {
      waiting.emplace(name, expression(*node, "size " + in_quotes(name)));
    }
    while (!waiting.empty()) {
      const auto ready = std::find_if(waiting.begin(), waiting.end(), [&](const auto& each) {
        const auto names = each.second.names();
        return std::none_of(names.begin(), names.end(),
                            [&](const std::string& name) { return waiting.count(name) != 0; });
      });
      if (ready == waiting.end()) {
        const auto& [name, cyclic] = *waiting.begin();
        cyclic.where().fail("size " + in_quotes(name) + " depends on itself");
      }
      workload_.variables[ready->first] = ready->second.evaluate(workload_.variables);
      waiting.erase(ready);
    }
  }

  // --- buffers ---

  void buffers(const TableReader& top, const std::string& key) {
    if (!top.has(key)) return;
    const bool symbol = key == "symbol";
    for (const toml::node& each : as_array(top.need(key), in_quotes(key), file_)) {
      std::vector<std::string> known{"name", "type", "count", "init"};
      if (symbol) {
        known.insert(known.end(), {"variable", "module"});
      } else {
        known.insert(known.end(), {"save", "address"});
      }
      const std::string what = "[[" + key + "]]";
      const TableReader table(as_table(each, what, file_), file_, what, known);
      Buffer buffer;
      buffer.symbol = symbol;
      buffer.where = table.where();
      buffer.name = table.need_string("name");
      if (buffer.name.empty()) table.where("name").fail("a name must not be empty");
      if (by_name_.count(buffer.name) != 0) {
        table.where("name").fail(in_quotes(buffer.name) + " is the name of two buffers or symbols");
      }
      if (symbol) {
        buffer.variable = table.string("variable", buffer.name);
        buffer.module = modules_->named(table);
      }
      const std::string type = table.need_string("type");
      const auto element = element_type(type);
      if (!element) {
        table.where("type").fail("unknown type " + in_quotes(type) +
                                 suggestion(type, element_type_names()));
      }
      buffer.type = *element;
      if (!symbol || table.has("count")) {
        const auto max = static_cast<std::int64_t>(kMaxBufferBytes / size_of(buffer.type));
        buffer.count = static_cast<std::uint64_t>(
            expression(table.need("count"), "\"count\"")
                .evaluate(workload_.variables, "\"count\" of " + in_quotes(buffer.name), 1, max));
      }
      if (table.has("address")) buffer.address = hexadecimal(table, "address");
      if (table.has("init")) buffer.contents = layers(table.need("init"));
      if (table.has("save")) buffer.save = save(table.need("save"));
      by_name_[buffer.name] = workload_.buffers.size();
      workload_.buffers.push_back(std::move(buffer));
    }
  }

  std::vector<Layer> layers(const toml::node& node) {
    std::vector<Layer> out;
    if (node.is_array()) {
      for (const toml::node& each : *node.as_array()) out.push_back(layer(each));
    } else {
      out.push_back(layer(node));
    }
    return out;
  }

  Layer layer(const toml::node& node) {
    const TableReader table(
        as_table(node, "\"init\"", file_), file_, "\"init\"",
        joined(kContents, {"reference", "inputs", "seed", "offset", "every", "count"}));
    if (choose(table, joined({"reference"}, kContents), "contents") == "reference") {
      if (table.has("seed")) table.where("seed").fail("only \"random\" takes a \"seed\"");
      return {Layer::Kind::reference, {}, {}, {}, selection(table), table.where("reference"),
              reference_call(table)};
    }
    Layer out = contents(table);
    out.selection = selection(table);
    return out;
  }

  Selection selection(const TableReader& table) const {
    return {expression(table, "offset", 0), expression(table, "every", 1),
            optional_expression(table, "count")};
  }

  /// The one key of `choices` that a table has.
  static std::string choose(const TableReader& table, const std::vector<std::string>& choices,
                            const std::string& what) {
    std::vector<std::string> present;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(present),
                 [&](const std::string& each) { return table.has(each); });
    if (present.empty()) table.where().fail(what + " needs one of: " + listed(choices));
    if (present.size() > 1) {
      table.where(present[1])
          .fail(what + " has both " + in_quotes(present[0]) + " and " + in_quotes(present[1]));
    }
    return present.front();
  }

  /// The layer's kind and values; every element of the buffer.
  Layer contents(const TableReader& table) {
    const std::string key = choose(table, kContents, "contents");
    const toml::node& node = table.need(key);
    const std::string what = in_quotes(key);
    Layer out{
        Layer::Kind::fill,       {}, {}, {}, {{0, table.where()}, {1, table.where()}, std::nullopt},
        location_of(node, file_)};
    if (key == "fill") {
      out.data = {datum(node, what, Place::element)};
    } else if (key == "raw" || key == "text") {
      out.kind = key == "raw" ? Layer::Kind::raw : Layer::Kind::text;
      out.file = directory_ / as_string(node, what, file_);
    } else {
      out.kind = key == "range"    ? Layer::Kind::range
                 : key == "random" ? Layer::Kind::random
                                   : Layer::Kind::values;
      for (const toml::node& each : as_array(node, what, file_)) {
        const bool start = out.kind == Layer::Kind::range && out.data.empty() && each.is_table();
        out.data.push_back(out.kind == Layer::Kind::values || start
                               ? datum(each, what, Place::element)
                               : plain(each, what));
        if (start && out.data[0].kind != Datum::Kind::address) {
          out.data[0].where.fail("a range starts with a number or a \"buffer\"");
        }
      }
      if (out.kind != Layer::Kind::values && out.data.size() != 2) {
        out.where.fail(what + " takes two numbers: " +
                       (out.kind == Layer::Kind::range ? "start, step" : "low, high"));
      }
    }
    if (table.has("inputs")) table.where("inputs").fail("only \"reference\" takes \"inputs\"");
    if (table.has("seed")) {
      if (out.kind != Layer::Kind::random) {
        table.where("seed").fail("only \"random\" takes a \"seed\"");
      }
      out.seed = as_unsigned(table.need("seed"), "\"seed\"", file_);
    }
    return out;
  }

  SaveFile save(const toml::node& node) const {
    const TableReader table(as_table(node, "\"save\"", file_), file_, "\"save\"", {"raw", "text"});
    const std::string key = choose(table, {"raw", "text"}, "\"save\"");
    return {key == "raw" ? FileFormat::raw : FileFormat::text, table.need_string(key)};
  }

  /// A buffer that exists.
  const Buffer& buffer(const std::string& name, const Location& where) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) {
      std::vector<std::string> known;
      for (const auto& [each, index] : by_name_) known.push_back(each);
      where.fail("unknown buffer " + in_quotes(name) + suggestion(name, known));
    }
    return workload_.buffers[found->second];
  }

  std::string buffer_name(const TableReader& table, std::string_view key) const {
    return buffer(table.need_string(key), table.where(key)).name;
  }

  // --- steps ---

  std::vector<Step> steps(const toml::node& node) {
    std::vector<Step> out;
    for (const toml::node& each : as_array(node, "\"step\"", file_)) out.push_back(step(each));
    return out;
  }

  Step step(const toml::node& node) {
    const toml::table& table = as_table(node, "[[step]]", file_);
    static const std::map<std::string, std::vector<std::string>> kKeys{
        {"kernel", kLaunchKeys},
        {"concurrent", {"concurrent"}},
        {"fill", {"fill", "value", "offset", "every", "count"}},
        {"copy", {"copy", "to", "offset", "to_offset", "count"}},
        {"swap", {"swap"}},
        {"repeat", {"repeat", "index", "step"}},
        {"until_clear", {"until_clear", "max_iterations", "index", "step"}}};
    std::vector<std::string> all;
    for (const auto& [action, keys] : kKeys) {
      for (const std::string& key : keys) {
        if (std::find(all.begin(), all.end(), key) == all.end()) all.push_back(key);
      }
    }
    const TableReader any(table, file_, "[[step]]", all);
    const std::string action = choose(any, kActions, "[[step]]");
    const TableReader reader(table, file_, "a [[step]] with " + in_quotes(action),
                             kKeys.at(action));
    const Location& where = reader.where();
    if (action == "kernel") return {launch(reader), where};
    if (action == "concurrent") return {concurrent(reader), where};
    if (action == "fill") {
      return {Fill{buffer_name(reader, "fill"),
                   datum(reader.need("value"), "\"value\"", Place::element), selection(reader)},
              where};
    }
    if (action == "copy") return {copy(reader), where};
    if (action == "swap") return {exchange(reader), where};
    if (action == "repeat") {
      Repeat out{expression(reader.need("repeat"), "\"repeat\""), "", {}};
      std::tie(out.index, out.steps) = loop_body(reader);
      return {std::move(out), where};
    }
    UntilClear out{buffer_name(reader, "until_clear"),
                   expression(reader.need("max_iterations"), "\"max_iterations\""),
                   "",
                   {}};
    std::tie(out.index, out.steps) = loop_body(reader);
    return {std::move(out), where};
  }

  std::pair<std::string, std::vector<Step>> loop_body(const TableReader& reader) {
    std::string index = reader.string("index", "");
    if (reader.has("index")) {
      if (!Expression::is_name(index) || Expression::is_function(index)) {
        reader.where("index").fail(in_quotes(index) + " cannot name a loop variable");
      }
      if (!scope_.insert(index).second) {
        reader.where("index").fail("the name " + in_quotes(index) + " is already taken");
      }
    }
    std::vector<Step> body = steps(reader.need("step"));
    scope_.erase(index);
    return {std::move(index), std::move(body)};
  }

  std::vector<Expression> dimensions(const TableReader& table, std::string_view key) const {
    const toml::node& node = table.need(key);
    const std::string what = in_quotes(key);
    if (!node.is_array()) return {expression(node, what)};
    std::vector<Expression> out;
    for (const toml::node& each : *node.as_array()) out.push_back(expression(each, what));
    if (out.empty() || out.size() > 3) table.where(key).fail(what + " takes one to three numbers");
    return out;
  }

  LaunchStep launch(const TableReader& table) {
    LaunchStep out{table.need_string("kernel"),
                   dimensions(table, "grid"),
                   dimensions(table, "block"),
                   expression(table, "shared", 0),
                   expression(table, "registers", 0),
                   {},
                   modules_->named(table)};
    if (table.has("args")) {
      for (const toml::node& each : as_array(table.need("args"), "\"args\"", file_)) {
        out.arguments.push_back(datum(each, "an argument", Place::argument));
      }
    }
    return out;
  }

  Concurrent concurrent(const TableReader& table) {
    Concurrent out;
    for (const toml::node& each : as_array(table.need("concurrent"), "\"concurrent\"", file_)) {
      const TableReader reader(as_table(each, "a launch of \"concurrent\"", file_), file_,
                               "a launch of \"concurrent\"", kLaunchKeys);
      out.launches.push_back({launch(reader), reader.where()});
    }
    if (out.launches.size() < 2) {
      table.where("concurrent").fail("\"concurrent\" takes two launches or more");
    }
    return out;
  }

  Copy copy(const TableReader& table) const {
    Copy out{buffer_name(table, "copy"), buffer_name(table, "to"), expression(table, "offset", 0),
             expression(table, "to_offset", 0), optional_expression(table, "count")};
    if (buffer(out.from, table.where()).type != buffer(out.to, table.where()).type) {
      table.where("to").fail(in_quotes(out.from) + " and " + in_quotes(out.to) + " differ in type");
    }
    return out;
  }

  Swap exchange(const TableReader& table) const {
    const toml::array& names = as_array(table.need("swap"), "\"swap\"", file_);
    if (names.size() != 2) table.where("swap").fail("\"swap\" takes two buffers");
    const auto get = [&](std::size_t i) -> const Buffer& {
      return buffer(as_string(names[i], "\"swap\"", file_), location_of(names[i], file_));
    };
    const Buffer& first = get(0);
    const Buffer& second = get(1);
    if (first.symbol || second.symbol) table.where("swap").fail("a symbol cannot be swapped");
    if (first.type != second.type || first.count != second.count) {
      table.where("swap").fail(in_quotes(first.name) + " and " + in_quotes(second.name) +
                               " differ in type or count");
    }
    return {first.name, second.name};
  }

  // --- [[expect]] ---

  Expectation expectation(const toml::node& node) {
    const TableReader table(
        as_table(node, "[[expect]]", file_), file_, "[[expect]]",
        joined(kContents, {"reference", "buffer", "inputs", "tolerance", "seed"}));
    Expectation out;
    out.where = table.where();
    out.buffer = buffer_name(table, "buffer");
    const Buffer& checked = buffer(out.buffer, out.where);
    const std::string key = choose(table, joined({"reference"}, kContents), "[[expect]]");
    if (key == "reference") {
      out.expected = reference_call(table);
    } else {
      out.expected = std::vector<Layer>{contents(table)};
    }
    if (table.has("tolerance")) out.tolerance = tolerance(table.need("tolerance"), checked);
    return out;
  }

  ReferenceCall reference_call(const TableReader& table) const {
    ReferenceCall out;
    out.function = table.need_string("reference");
    const references::Reference* reference = references::find(out.function);
    if (reference == nullptr) {
      std::vector<std::string> known;
      for (const auto& each : references::all()) known.push_back(each.name);
      table.where("reference")
          .fail("unknown reference " + in_quotes(out.function) + suggestion(out.function, known));
    }
    const toml::array& inputs = as_array(table.need("inputs"), "\"inputs\"", file_);
    if (inputs.size() != reference->inputs.size()) {
      table.where("inputs").fail("reference " + in_quotes(out.function) + " takes " +
                                 std::to_string(reference->inputs.size()) + " inputs, not " +
                                 std::to_string(inputs.size()) + ": " + reference->usage);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      out.inputs.push_back(reference_input(inputs[i], reference->inputs[i], i + 1));
    }
    return out;
  }

  std::variant<std::string, Scalar> reference_input(const toml::node& node, references::Kind kind,
                                                    std::size_t number) const {
    const Location where = location_of(node, file_);
    const std::string what = "input " + std::to_string(number);
    if (kind == references::Kind::integer || kind == references::Kind::real) {
      Scalar value = scalar(node, what);
      if (kind == references::Kind::integer && std::holds_alternative<double>(value.value)) {
        where.fail(what + " must be an integer");
      }
      return value;
    }
    const Buffer& source = buffer(as_string(node, what, file_), where);
    if (is_float(source.type) != (kind == references::Kind::reals)) {
      where.fail(what + ", buffer " + in_quotes(source.name) + " of " + to_string(source.type) +
                 ", must hold " + (is_float(source.type) ? "integers" : "floating-point numbers"));
    }
    return source.name;
  }

  Tolerance tolerance(const toml::node& node, const Buffer& checked) const {
    const TableReader table(as_table(node, "\"tolerance\"", file_), file_, "\"tolerance\"",
                            {"absolute", "relative", "ulp"});
    const auto bound = [&](const std::string& key) -> std::optional<double> {
      if (!table.has(key)) return std::nullopt;
      const std::optional<double> value = table.need(key).value<double>();
      if (!value || !(*value >= 0)) {
        table.where(key).fail(in_quotes(key) + " must be a number not below 0");
      }
      return value;
    };
    Tolerance out;
    out.absolute = bound("absolute");
    out.relative = bound("relative");
    if (table.has("ulp")) out.ulp = as_unsigned(table.need("ulp"), "\"ulp\"", file_);
    if (!is_float(checked.type) && (out.relative || out.ulp)) {
      table.where().fail("integers take only an \"absolute\" tolerance");
    }
    return out;
  }

  const LoadOptions& options_;
  std::string file_;
  fs::path directory_;
  toml::table root_;
  Workload workload_;
  std::optional<ModuleTable> modules_;
  std::set<std::string> scope_;                 // sizes and loop variables that may be used
  std::map<std::string, std::size_t> by_name_;  // into workload_.buffers
  std::vector<std::pair<std::string, Location>> addressed_;  // buffers that contents name
  bool buffers_known_ = false;
};

}  // namespace

Workload load_workload(const fs::path& file, const LoadOptions& options) {
  return Loader(file, options).load();
}

fs::path find_workload(const std::string& word, const fs::path& directory) {
  std::error_code ignored;
  if (fs::is_regular_file(word, ignored)) return word;
  fs::path built_in = directory / word / (word + ".toml");
  if (fs::is_regular_file(built_in, ignored)) return built_in;
  if (fs::path(word).has_parent_path() && fs::path(word).is_relative()) {
    fs::path of_a_family = directory / (word + ".toml");
    if (fs::is_regular_file(of_a_family, ignored)) return of_a_family;
  }
  if (means_a_file(word)) {
    throw InputError(
        word, why_unreadable(word).value_or("is no file") + ", and no workload has this name");
  }
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (fs::is_regular_file(entry.path() / (name + ".toml"), ignored)) known.push_back(name);
  }
  std::sort(known.begin(), known.end());
  throw InputError(in_quotes(word) + " is neither a launch description nor a workload" +
                   suggestion(word, known));
}

}  // namespace paws
