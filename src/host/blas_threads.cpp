#include "host/blas_threads.h"

#include <dlfcn.h>

#include <array>

namespace peakline::host {
namespace {

template <typename Function>
Function* find_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

bool set_blas_threads(int threads) {
  constexpr std::array setters{"openblas_set_num_threads", "MKL_Set_Num_Threads",
                               "bli_thread_set_num_threads"};
  for (const char* name : setters) {
    if (auto* set = find_function<void(int)>(name)) {
      set(threads);
      return true;
    }
  }
  return false;
}

std::string blas_description() {
  if (auto* config = find_function<char*()>("openblas_get_config")) {
    const std::string text = config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
    const std::size_t version = text.find(' ');
    std::string description = text.substr(0, text.find(' ', version + 1));
    if (auto* core = find_function<char*()>("openblas_get_corename")) {
      description += std::string(" (") + core() + " kernels)";
    }
    return description;
  }
  if (find_function<void(int)>("MKL_Set_Num_Threads") != nullptr) return "MKL";
  if (auto* version = find_function<const char*()>("bli_info_get_version_str")) {
    return std::string("BLIS ") + version();
  }
  return "unknown BLAS";
}

}  // namespace peakline::host
