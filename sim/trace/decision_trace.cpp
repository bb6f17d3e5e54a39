// SPDX-License-Identifier: MIT
#include "sim/trace/decision_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/scheduler_fields.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws::trace {
namespace {

constexpr std::string_view kMagic = "PAWSDEC\n";
constexpr std::uint32_t kTrailer = 0xffffffff;  // in place of a chunk's core
constexpr std::size_t kChunkHead = 16;
constexpr std::uint32_t kMaxHeader = 1U << 20;
constexpr std::uint32_t kMaxChunk = 1U << 26;
constexpr int kLevel = 4;  // beyond it, deflate costs more time than the simulation

void append_u32(std::string& to, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) to.push_back(static_cast<char>(value >> (8 * i)));
}

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return value;
}

std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string chunk(std::uint32_t core, std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string packed(size, '\0');
  ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
              reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), kLevel);
  packed.resize(size);
  std::string out;
  append_u32(out, core);
  append_u32(out, static_cast<std::uint32_t>(bytes.size()));
  append_u32(out, static_cast<std::uint32_t>(packed.size()));
  append_u32(out, checksum(bytes));
  return out + packed;
}

nlohmann::json json_of(const SchedulerConfig& config) {
  nlohmann::json json = {{"name", scheduler_name(config)}, {"parameters", config.parameters}};
  for (const SchedulerField& field : scheduler_fields()) {
    const unsigned value = value_of(config, field);
    json[field.name] = is_switch(field) ? nlohmann::json(value != 0) : nlohmann::json(value);
  }
  return json;
}

std::string header(const RunInfo& run, const std::vector<std::uint32_t>& cores) {
  const nlohmann::json json = {
      {"workload", run.workload},
      {"gpu", run.gpu},
      {"settings", run.settings},
      {"engine", run.engine},
      {"seed", run.seed},
      {"made_by", run.made_by},
      {"cores", run.cores},
      {"recorded", cores},
      {"schedulers", run.schedulers},
      {"issue_interval", run.issue_interval},
      {"detail", run.detail},
      {"scheduler", json_of(run.scheduler)},
  };
  // A name may be no UTF-8.
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out(kMagic);
  append_u32(out, kFormatVersion);
  append_u32(out, static_cast<std::uint32_t>(text.size()));
  return out + text;
}

SchedulerConfig scheduler_of(const nlohmann::json& json) {
  SchedulerConfig config;
  for (const SchedulerField& field : scheduler_fields()) {
    const nlohmann::json& value = json.at(field.name);
    set_value(config, field, is_switch(field) ? value.get<bool>() : value.get<unsigned>());
  }
  if (const auto wrong = set_scheduler_name(config, json.at("name"))) throw InputError(*wrong);
  // A trace that was recorded before there were parameters has none.
  if (json.contains("parameters")) json.at("parameters").get_to(config.parameters);
  if (const auto wrong = check(config)) throw InputError(*wrong);
  return config;
}

RunInfo run_of(const nlohmann::json& json) {
  RunInfo run;
  run.workload = json.at("workload");
  run.gpu = json.at("gpu");
  run.settings = json.at("settings").get<std::vector<std::string>>();
  run.engine = json.at("engine");
  run.seed = json.at("seed");
  if (json.contains("made_by")) json.at("made_by").get_to(run.made_by);
  run.cores = json.at("cores");
  run.schedulers = json.at("schedulers");
  run.issue_interval = json.at("issue_interval");
  run.detail = json.at("detail");
  run.scheduler = scheduler_of(json.at("scheduler"));
  if (run.schedulers == 0 || run.schedulers > kMaxWarps || run.issue_interval == 0) {
    throw InputError("is damaged: schedulers or issue_interval is out of range");
  }
  return run;
}

/// The next `size` bytes, or fewer at the end of the file.
std::string take(std::istream& file, std::size_t size) {
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::string unpack(const std::string& path, std::string_view packed, std::uint32_t raw,
                   std::uint32_t expected) {
  std::string bytes(raw, '\0');
  uLongf size = raw;
  if (::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                   reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
      size != raw || checksum(bytes) != expected) {
    throw InputError(path, "is damaged: a checksum does not match");
  }
  return bytes;
}

}  // namespace

DecisionWriter::DecisionWriter(const std::string& path, RunInfo run,
                               std::vector<std::uint32_t> cores)
    : run_(std::move(run)), cores_(std::move(cores)), file_(path, cores_.size()) {
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    encoders_.push_back(std::make_unique<Encoder>(
        run_, [this, i](std::string_view bytes) { write_chunk(i, bytes); }));
  }
}

Sink& DecisionWriter::sink(std::size_t index) { return *encoders_[index]; }

void DecisionWriter::write_chunk(std::size_t index, std::string_view bytes) {
  file_.part(index).write(chunk(cores_[index], bytes));
}

void DecisionWriter::finish(const std::optional<std::string>& error) {
  for (const auto& encoder : encoders_) encoder->close();
  nlohmann::json trailer;
  trailer["error"] = error ? nlohmann::json(*error) : nlohmann::json(nullptr);
  file_.finish(
      header(run_, cores_), "",
      chunk(kTrailer, trailer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

bool is_decision_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return take(file, kMagic.size()) == kMagic;
}

DecisionReader::DecisionReader(const std::string& path) : path_(path) {
  if (const auto why = why_unreadable(path)) throw InputError(path, *why);
  std::ifstream file(path, std::ios::binary);
  const std::string head = take(file, kMagic.size() + 8);
  if (!head.starts_with(kMagic)) throw InputError(path, "is not a decision trace");
  if (head.size() < kMagic.size() + 8) throw InputError(path, "is cut off");
  const std::uint32_t version = u32_at(head, kMagic.size());
  if (version != kFormatVersion) {
    throw InputError(path, fmt::format("is a decision trace of version {}; this program reads {}",
                                       version, kFormatVersion));
  }
  const std::uint32_t size = u32_at(head, kMagic.size() + 4);
  if (size > kMaxHeader) throw InputError(path, "is damaged: its header is too long");
  const std::string text = take(file, size);
  if (text.size() < size) throw InputError(path, "is cut off");
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    run_ = run_of(json);
    cores_ = json.at("recorded").get<std::vector<std::uint32_t>>();
    if (cores_.empty()) throw InputError("holds no core");
  } catch (const nlohmann::json::exception&) {
    throw InputError(path, "is damaged: its header cannot be read");
  } catch (const InputError& error) {
    throw InputError(path, error.what());
  }
  for (;;) {
    const std::string chunk_head = take(file, kChunkHead);
    if (chunk_head.size() < kChunkHead) throw InputError(path, "is cut off");
    const std::uint32_t core = u32_at(chunk_head, 0);
    const Chunk next{static_cast<std::uint64_t>(file.tellg()), u32_at(chunk_head, 4),
                     u32_at(chunk_head, 8), u32_at(chunk_head, 12)};
    if (next.raw > kMaxChunk || next.packed > kMaxChunk) {
      throw InputError(path, "is damaged: a chunk is too long");
    }
    if (core == kTrailer) {
      const std::string packed = take(file, next.packed);
      if (packed.size() < next.packed) throw InputError(path, "is cut off");
      const nlohmann::json trailer =
          nlohmann::json::parse(unpack(path, packed, next.raw, next.checksum), nullptr, false);
      if (trailer.is_object() && trailer.contains("error") && trailer["error"].is_string()) {
        error_ = trailer["error"];
      }
      return;
    }
    chunks_[core].push_back(next);
    file.seekg(next.packed, std::ios::cur);
  }
}

DecisionReader::~DecisionReader() = default;

Decoder DecisionReader::open(std::uint32_t core) const {
  if (std::find(cores_.begin(), cores_.end(), core) == cores_.end()) {
    throw InputError(
        path_, fmt::format("core {} is not in it (recorded: {})", core, fmt::join(cores_, ", ")));
  }
  auto file = std::make_shared<std::ifstream>(path_, std::ios::binary);
  const auto found = chunks_.find(core);
  std::vector<Chunk> chunks = found == chunks_.end() ? std::vector<Chunk>{} : found->second;
  return {run_, path_,
          [path = path_, file, chunks = std::move(chunks), next = std::size_t{0}]() mutable {
            if (next == chunks.size()) return std::string();
            const Chunk& chunk = chunks[next++];
            file->seekg(static_cast<std::streamoff>(chunk.at));
            const std::string packed = take(*file, chunk.packed);
            return unpack(path, packed, chunk.raw, chunk.checksum);
          }};
}

void DecisionReader::read(std::uint32_t core, Sink& sink) const {
  Decoder decoder = open(core);
  while (decoder.next(sink)) {
  }
}

}  // namespace paws::trace
