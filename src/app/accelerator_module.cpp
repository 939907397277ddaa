#include "app/accelerator_module.h"

#include <dlfcn.h>

#include <filesystem>

#include "app/data_dir.h"
#include "core/error.h"

namespace peakline {
namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "libpeakline_cuda.so";

/// Beside the programs' folder as built and as installed; empty when there is none.
fs::path find_module() {
  const fs::path here = program_dir();
  for (const char* folder : {"../lib", "../" PEAKLINE_LIBDIR}) {
    fs::path path = (here / folder / module_name).lexically_normal();
    std::error_code failure;
    if (fs::exists(path, failure)) return path;
  }
  return {};
}

}  // namespace

std::unique_ptr<Accelerator> load_accelerator() {
  const fs::path path = find_module();
  if (path.empty()) throw usage_error("this build has no CUDA backend");
  // Lazily: an NCCL that lacks a function of today's is refused by its version, with a sentence.
  void* module = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (module == nullptr) {
    throw usage_error(std::string("a library of CUDA or NCCL cannot be loaded (") + dlerror() +
                      "): install it, or name its folder in LD_LIBRARY_PATH");
  }
  const auto make = reinterpret_cast<MakeAccelerator>(dlsym(module, make_accelerator_symbol));
  if (make == nullptr) {
    throw usage_error(path.string() + " is no module of Peakline: install Peakline again");
  }
  return std::unique_ptr<Accelerator>(make());
}

}  // namespace peakline
