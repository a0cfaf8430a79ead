# Writes BUILD/made/sim/cli/build_commit.h with the commit of the checkout at SOURCE.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${BUILD}/made/sim/cli/build_commit.h
  CONTENT "#define ROLLOVER_COMMIT \"${commit}\"\n")
