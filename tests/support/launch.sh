#!/usr/bin/env bash
# launch.sh RANKS PROGRAM [ARG...]: mpirun as the project's scripts use it, with an end to it,
# PEAKLINE_LAUNCH_LIMIT_S or 100 seconds later.
. "$(dirname "$0")/../../scripts/common.sh"
export OMPI_MCA_orte_abort_timeout=5
launch "$1" --timeout "${PEAKLINE_LAUNCH_LIMIT_S:-100}" "${@:2}"
