// SPDX-License-Identifier: MIT
#include "sim/sass/line_source.h"

#include <lzma.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws::sass {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;
constexpr std::array<char, 6> kXzMagic{'\xfd', '7', 'z', 'X', 'Z', '\0'};

}  // namespace

/// Of an .xz file: one stream, or several in a row.
class LineSource::Decoder {
 public:
  Decoder() {
    // Bounds what a hostile file can ask for; xz -9 needs 65 MiB.
    constexpr std::uint64_t kMemory = std::uint64_t{512} << 20;
    good_ = lzma_stream_decoder(&stream_, kMemory, LZMA_CONCATENATED) == LZMA_OK;
  }
  ~Decoder() { lzma_end(&stream_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Fills `to` as far as the file goes. Returns the bytes; `cause` says what is wrong.
  std::size_t read(std::ifstream& file, char* to, std::size_t bytes, std::string& cause) {
    if (!good_) cause = "no memory to decompress it";
    stream_.next_out = reinterpret_cast<std::uint8_t*>(to);
    stream_.avail_out = bytes;
    while (cause.empty() && !ended_ && stream_.avail_out > 0) {
      if (stream_.avail_in == 0 && !file.eof()) {
        file.read(reinterpret_cast<char*>(in_.data()), static_cast<std::streamsize>(in_.size()));
        stream_.next_in = in_.data();
        stream_.avail_in = static_cast<std::size_t>(file.gcount());
      }
      switch (lzma_code(&stream_, file.eof() ? LZMA_FINISH : LZMA_RUN)) {
        case LZMA_OK:
          break;
        case LZMA_STREAM_END:
          ended_ = true;
          break;
        case LZMA_BUF_ERROR:
          cause = "the compressed data ends early";
          break;
        case LZMA_MEMLIMIT_ERROR:
          cause = "decompression needs more than 512 MiB";
          break;
        default:
          cause = "the compressed data is broken";
          break;
      }
    }
    return bytes - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::array<std::uint8_t, kPiece> in_{};
  bool good_ = false;
  bool ended_ = false;
};

LineSource::LineSource(const std::filesystem::path& file) : name_(file.string()) {
  if (const auto why = why_unreadable(file)) throw InputError(name_, *why);
  file_.open(file, std::ios::binary);
  std::array<char, kXzMagic.size()> first{};
  file_.read(first.data(), first.size());
  const bool compressed = file_.gcount() == kXzMagic.size() && first == kXzMagic;
  file_.clear();
  file_.seekg(0);
  if (compressed) decoder_ = std::make_unique<Decoder>();
}

LineSource::~LineSource() = default;

void LineSource::fail(const std::string& cause) const { throw InputError(name_, line_, cause); }

std::size_t LineSource::read(char* to, std::size_t bytes) {
  std::string cause;
  std::size_t got = 0;
  if (decoder_) {
    got = decoder_->read(file_, to, bytes, cause);
  } else {
    file_.read(to, static_cast<std::streamsize>(bytes));
    got = static_cast<std::size_t>(file_.gcount());
  }
  if (file_.bad()) cause = "cannot be read";
  if (!cause.empty()) {
    ++line_;  // the one that cannot be given
    fail(cause);
  }
  return got;
}

bool LineSource::fill() {
  std::copy(text_.begin() + static_cast<std::ptrdiff_t>(begin_),
            text_.begin() + static_cast<std::ptrdiff_t>(end_), text_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (text_.size() < end_ + kPiece) text_.resize(end_ + kPiece);
  const std::size_t got = read(text_.data() + end_, kPiece);
  end_ += got;
  return got > 0;
}

bool LineSource::next(std::string_view& line) {
  std::size_t looked_at = 0;  // bytes from begin_ on without an end of line
  for (;;) {
    const std::string_view rest(text_.data() + begin_, end_ - begin_);
    const std::size_t end = rest.find('\n', looked_at);
    const bool found = end != std::string_view::npos;
    if (!found && rest.size() <= kLongestLine) {
      looked_at = rest.size();
      if (fill()) continue;
      if (looked_at == 0) return false;
    }
    ++line_;
    const std::size_t length = found ? end : end_ - begin_;
    if (length > kLongestLine) {
      fail("a line of more than " + std::to_string(kLongestLine) + " bytes: not a trace");
    }
    line = std::string_view(text_.data() + begin_, length);
    begin_ += length + (found ? 1 : 0);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find('\0') != std::string_view::npos) fail("a zero byte: not a trace");
    return true;
  }
}

}  // namespace paws::sass
