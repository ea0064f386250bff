# Makes the installed library one object whose global names are those of the public headers. From the install script: library, linker,
# objcopy, archiver.
# SPDX-License-Identifier: BSD-3-Clause
set(object ${library}.o)
set(public simrun_* fast_* result_* measure_* units_* sim_error_* location_state_* category_names operation_names)
list(TRANSFORM public PREPEND --keep-global-symbol=)
execute_process(COMMAND ${objcopy} --wildcard --remove-section=.gnu.*lto_* ${library} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${linker} -r --whole-archive ${library} -o ${object} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${objcopy} --wildcard ${public} ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${library})
execute_process(COMMAND ${archiver} rcs ${library} ${object} COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${object})
