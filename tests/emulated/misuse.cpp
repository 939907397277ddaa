// misuse KIND: does one thing wrong with the memory of a GPU, to show that the emulation notices.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string_view>

int main(int argc, char** argv) {
  const std::string_view kind = argc > 1 ? argv[1] : "";
  constexpr std::size_t size_bytes = 1000;
  void* memory = nullptr;
  if (cudaMalloc(&memory, size_bytes) != cudaSuccess) return 1;
  auto* bytes = static_cast<unsigned char*>(memory);
  if (kind == "overrun") bytes[size_bytes] = 1;
  if (kind == "underrun") *(bytes - 1) = 1;
  if (kind == "copy-overrun") {
    unsigned char host[size_bytes + 1] = {};
    return cudaMemcpyAsync(memory, host, sizeof host, cudaMemcpyHostToDevice, nullptr) ==
                   cudaErrorInvalidValue
               ? cudaFree(memory)
               : 1;
  }
  if (kind == "leak") return 0;
  cudaFree(memory);
  if (kind == "use-after-free") bytes[7] = 1;
  if (kind == "double-free") return cudaFree(memory) == cudaErrorInvalidValue ? 0 : 1;
  return 0;
}
