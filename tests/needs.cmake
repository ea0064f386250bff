# Tests that need a library: without it, a unit test is not compiled, and each of these is skipped with a reason.
# SPDX-License-Identifier: BSD-3-Clause
set(needs_OTF2
  unit.aborted unit.read_otf2 unit.read_otf2_bad unit.recovery unit.requests unit.synchronise unit.trace_otf2 unit.streams_otf2 unit.teams_otf2 unit.threads_otf2 unit.traced
  script.analyse script.differential script.layers script.messages script.overwrite script.pages script.panels script.python script.readme script.replay script.report
  script.extrapolation script.growth script.streams script.teams script.counters script.threads script.begun script.part script.iterations script.source script.inputs script.interrupts script.platform script.round_trips script.waits
  script.states script.studies script.text script.traces script.versions script.what_if)
set(needs_SQLITE
  unit.store
  script.cluster script.commands script.compare script.details script.differential script.help script.large script.layers script.messages script.overwrite script.pages script.python
  script.readme script.report script.shards script.slurm script.studies script.versions script.what_if)
set(needs_SIMGRID
  unit.calibrate unit.collectives unit.fast unit.foreign unit.kernel_requests unit.lookahead unit.machine unit.machine_faults unit.metrics unit.plain
  unit.predict unit.profile unit.topology_machine unit.what_if unit.wires unit.wires_random unit.wires_simgrid
  script.bounds script.cli script.differential script.models script.overwrite script.pages script.python script.readme script.start script.text
  script.forecast script.placement script.platforms script.recipes script.schema script.smpi_replay script.some_routes script.stencil
  script.writes
  script.topologies
  script.what_if scenario.gj-scaling)

# missing_library(variable test): the switch of the first library that the test needs and the build lacks, or "".
function(missing_library variable test)
  foreach(switch IN ITEMS OTF2 SQLITE SIMGRID)
    if(NOT SIMRUN_${switch} AND test IN_LIST needs_${switch})
      set(${variable} SIMRUN_${switch} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
endfunction()
