#pragma once

#include "core/world.h"

/// All ranks of the running test program.
peakline::World& session_world();
