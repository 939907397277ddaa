# Run at every build, so that the commit in a record is the one that was built. configure_file leaves
# the file alone when nothing changed.
execute_process(
  COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE PEAKLINE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
configure_file(${SOURCE_DIR}/version.cpp.in ${OUTPUT} @ONLY)
