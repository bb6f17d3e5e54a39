// SPDX-License-Identifier: MIT
#include "engine/cached_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "engine/rtl_engine.h"

extern char** environ;

namespace paws {
namespace {

namespace fs = std::filesystem;

/// FNV-1a: tells one version of the inputs from another, no more.
class ContentHash {
 public:
  void add(const std::string& bytes) {
    for (const char byte : bytes + '\0') {
      hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] std::string hex() const {
    std::ostringstream text;
    text << std::hex << std::setw(kHexDigits) << std::setfill('0') << hash_;
    return text.str();
  }
  static constexpr std::size_t kHexDigits = 16;

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) throw EngineBuildError("cannot read " + path.string() + " to build an RTL engine");
  return content.str();
}

/// Runs `command` with its output in `log`; returns its exit status, 127 if it cannot be started.
int run(const std::vector<std::string>& command, const fs::path& log) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0644);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status)) return 127;
  return WEXITSTATUS(status);
}

fs::path cache_dir() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path base;
  if (xdg != nullptr && xdg[0] == '/') {
    base = xdg;
  } else if (home != nullptr && home[0] == '/') {
    base = fs::path(home) / ".cache";
  } else {
    throw EngineBuildError("neither XDG_CACHE_HOME nor HOME says where to keep an RTL engine");
  }
  fs::path dir = base / "paws";
  std::error_code error;
  fs::create_directories(dir, error);
  if (error) throw EngineBuildError("cannot make " + dir.string() + ": " + error.message());
  return dir;
}

/// A folder that only this call uses, removed with it.
class ScratchDir {
 public:
  explicit ScratchDir(const fs::path& parent) {
    std::string pattern = (parent / "build-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw EngineBuildError("cannot make a folder in " + parent.string());
    }
    path_ = pattern;
  }
  ~ScratchDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The first line of `log` that says what is wrong, else its last line.
std::string cause_in(const fs::path& log) {
  std::ifstream file(log);
  std::string line;
  std::string last = "no message";
  while (std::getline(file, line)) {
    if (line.find("rror") != std::string::npos || line.find("not found") != std::string::npos ||
        line.find("%Warning") != std::string::npos) {
      return line;
    }
    if (!line.empty()) last = line;
  }
  return last;
}

/// Versions of the tools, whose output an engine is.
std::string tool_versions(const fs::path& scratch) {
  std::string versions;
  const fs::path log = scratch / "version";
  for (const std::string& tool : {std::string("verilator"), compiler()}) {
    if (run({tool, "--version"}, log) != 0) {
      throw EngineBuildError("an RTL engine must be built for this configuration, but '" + tool +
                             "' does not run");
    }
    versions += read_file(log);
  }
  return versions;
}

std::string checksum(const std::string& bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.hex();
}

/// Appends the checksum, where no loader looks.
void seal(const fs::path& library) {
  const std::string sum = checksum(read_file(library));
  std::ofstream file(library, std::ios::binary | std::ios::app);
  file << sum;
  file.close();
  if (!file) throw EngineBuildError("cannot write " + library.string());
}

/// Whether the file is as it was sealed: loading a part of one may end the program.
bool whole(const fs::path& library) {
  const std::string bytes = read_file(library);
  if (bytes.size() < ContentHash::kHexDigits) return false;
  const std::size_t size = bytes.size() - ContentHash::kHexDigits;
  return checksum(bytes.substr(0, size)) == bytes.substr(size);
}

/// Builds `library` in `scratch` and moves it into place.
void build(const LibraryRecipe& recipe, const std::string& why, const fs::path& scratch,
           const fs::path& library) {
  std::cerr << "paws: building " << recipe.what << " (" << why << ") into " << library.string()
            << '\n';
  const fs::path fresh = scratch / "library.so";
  const fs::path log = scratch / "log";
  if (run(recipe.command(fresh, scratch / "work"), log) != 0) {
    throw EngineBuildError("building " + recipe.what + " failed: " + cause_in(log));
  }
  seal(fresh);
  // Other processes may build the same one: the last one wins, and each sees a whole file.
  fs::rename(fresh, library);
}

}  // namespace

std::filesystem::path source_dir() {
  const char* other = std::getenv("PAWS_SOURCE_DIR");
  if (other != nullptr && other[0] != '\0') return other;
  const char* prefix = std::getenv("PAWS_PREFIX");
  return prefix == nullptr ? fs::path(PAWS_SOURCE_DIR) : fs::path(prefix) / "share/paws";
}

std::string compiler() {
  const char* chosen = std::getenv("CXX");
  return chosen != nullptr && chosen[0] != '\0' ? chosen : PAWS_CXX;
}

void* load_library(const LibraryRecipe& recipe) {
  const fs::path cache = cache_dir();
  const ScratchDir scratch(cache);
  ContentHash hash;
  hash.add(tool_versions(scratch.path()));
  hash.add(std::to_string(recipe.policies));
  hash.add("sealed");
  for (const fs::path& source : recipe.sources) {
    hash.add(source.filename().string());
    hash.add(read_file(source));
  }
  const fs::path library = cache / (recipe.name + "-" + hash.hex() + ".so");
  if (!fs::exists(library)) {
    build(recipe, recipe.why, scratch.path(), library);
  } else if (!whole(library)) {
    build(recipe, "the one kept is damaged", scratch.path(), library);
  }
  // Never closed: what was made by it may live as long as the program.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* entry = handle != nullptr ? dlsym(handle, recipe.entry.c_str()) : nullptr;
  if (entry == nullptr) {
    throw EngineBuildError("cannot load " + library.string() + ": " + dlerror());
  }
  return entry;
}

}  // namespace paws
