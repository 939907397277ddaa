#include "app/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace peakline {

bool shows_on_terminal() {
  if (isatty(STDERR_FILENO) != 0) return true;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return false;
  std::error_code failure;
  const std::string target =
      std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/2", failure);
  return !failure && (target.starts_with("/dev/pts/") || target.starts_with("/dev/tty"));
}

}  // namespace peakline
