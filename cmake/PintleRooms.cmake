# One object library per room: a folder of src/pintle, whose sources are all files *.cpp in it (docs/architecture.md). A
# room has ordinary sources, and sources that are compiled once per instruction set:
#   KERNELS    the engine's own hot code, in the namespaces kernels_<isa>, chosen at run time;
#   INSTANCES  explicit instantiations of the templates that public headers only declare, in the namespaces inline_<isa>,
#              chosen by the flags of the user's own translation unit.

set(PINTLE_ISAS "all" CACHE STRING
  "Instruction sets of the kernels: all (for packages), native (of this machine), or a list of baseline, avx2, avx512")
option(PINTLE_UNITY "Compile the sources of a room together: half the time of a build, more after a change" ON)

# Each set of flags starts from the plain architecture, so that -march=native in CMAKE_CXX_FLAGS does not reach the kernels.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(pintle_known_isas baseline avx2 avx512)
  set(PINTLE_ISA_FLAGS_baseline -march=x86-64)
  set(PINTLE_ISA_FLAGS_avx2 -march=x86-64 -mavx2 -mfma)
  set(PINTLE_ISA_FLAGS_avx512 -march=x86-64 -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma)
else()
  set(pintle_known_isas baseline)
  set(PINTLE_ISA_FLAGS_baseline "")
endif()

# The widest instruction set that this machine has, by what its compiler says of it.
function(_pintle_native_isa result)
  set(${result} baseline PARENT_SCOPE)
  if(NOT avx2 IN_LIST pintle_known_isas)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
    OUTPUT_VARIABLE macros ERROR_QUIET)
  if(macros MATCHES "__AVX512F__" AND macros MATCHES "__AVX512DQ__" AND macros MATCHES "__AVX512VL__" AND macros MATCHES "__FMA__")
    set(${result} avx512 PARENT_SCOPE)
  elseif(macros MATCHES "__AVX2__" AND macros MATCHES "__FMA__")
    set(${result} avx2 PARENT_SCOPE)
  endif()
endfunction()

if(PINTLE_ISAS STREQUAL "all")
  set(PINTLE_KERNEL_ISAS ${pintle_known_isas})
elseif(PINTLE_ISAS STREQUAL "native")
  _pintle_native_isa(PINTLE_KERNEL_ISAS)
else()
  set(PINTLE_KERNEL_ISAS ${PINTLE_ISAS})
endif()
foreach(isa IN LISTS PINTLE_KERNEL_ISAS)
  if(NOT isa IN_LIST pintle_known_isas)
    message(FATAL_ERROR "PINTLE_ISAS: there is no instruction set '${isa}' here; there are: ${pintle_known_isas}, all, native")
  endif()
endforeach()
# Code of users and of the program itself is compiled for the plain architecture, unless they ask for more.
set(PINTLE_INSTANCE_ISAS ${PINTLE_KERNEL_ISAS})
if(NOT baseline IN_LIST PINTLE_INSTANCE_ISAS)
  set(PINTLE_INSTANCE_ISAS baseline)
endif()

# What every object of ours is compiled with. Contraction off: fused multiply-adds are written out, so bits depend on no
# compiler. No errno, no traps: neither changes a value. Never -ffast-math: it breaks range reduction.
add_library(pintle_flags INTERFACE)
target_compile_features(pintle_flags INTERFACE cxx_std_20)
target_compile_options(pintle_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  $<$<BOOL:${PINTLE_WERROR}>:-Werror>)
# g++'s vectoriser fuses multiplications and additions although contraction is off (docs/decisions/0002-bits.md); kernels
# say themselves what goes into lanes.
target_compile_options(pintle_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
# In a room that is compiled as a whole clang warns where a name hides that of another file, which is no mistake.
if(NOT (PINTLE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"))
  target_compile_options(pintle_flags INTERFACE -Wshadow)
endif()
# g++ 12 sees overlapping copies in `"text" + string` where there are none.
target_compile_options(pintle_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(pintle_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
foreach(isa IN LISTS pintle_known_isas)
  if(NOT isa IN_LIST PINTLE_KERNEL_ISAS)
    string(TOUPPER ${isa} isa)
    target_compile_definitions(pintle_flags INTERFACE PINTLE_WITHOUT_${isa})
  endif()
endforeach()

function(_pintle_objects target library)
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${target} PRIVATE pintle_flags)
  set_property(GLOBAL APPEND PROPERTY PINTLE_OBJECTS_${library} ${target})
endfunction()

# pintle_room(<folder> [COLD] [LIBRARY <name>] [KERNELS ...] [INSTANCES ...] [GENERATED ...] [LINK ...])
# COLD: code that no step of a run waits for, compiled with less optimisation. LIBRARY: pintle unless said otherwise.
function(pintle_room folder)
  cmake_parse_arguments(arg "COLD" "LIBRARY" "KERNELS;INSTANCES;GENERATED;LINK" ${ARGN})
  if(NOT arg_LIBRARY)
    set(arg_LIBRARY pintle)
  endif()
  list(TRANSFORM arg_KERNELS PREPEND ${folder}/)
  list(TRANSFORM arg_INSTANCES PREPEND ${folder}/)
  string(REPLACE "/" "_" name ${folder})

  file(GLOB sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${folder}/*.cpp)
  if(arg_KERNELS OR arg_INSTANCES)
    list(REMOVE_ITEM sources ${arg_KERNELS} ${arg_INSTANCES})
  endif()
  list(APPEND sources ${arg_GENERATED})
  if(sources)
    _pintle_objects(room_${name} ${arg_LIBRARY} ${sources})
    target_link_libraries(room_${name} PRIVATE ${arg_LINK})
    set_target_properties(room_${name} PROPERTIES UNITY_BUILD ${PINTLE_UNITY} UNITY_BUILD_BATCH_SIZE 0)
    if(arg_COLD)
      target_compile_options(room_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
  endif()
  foreach(isa IN LISTS PINTLE_KERNEL_ISAS)
    if(arg_KERNELS)
      _pintle_objects(room_${name}_kernels_${isa} ${arg_LIBRARY} ${arg_KERNELS})
      target_compile_options(room_${name}_kernels_${isa} PRIVATE ${PINTLE_ISA_FLAGS_${isa}})
      target_compile_definitions(room_${name}_kernels_${isa} PRIVATE PINTLE_KERNELS)
    endif()
  endforeach()
  foreach(isa IN LISTS PINTLE_INSTANCE_ISAS)
    if(arg_INSTANCES)
      _pintle_objects(room_${name}_instances_${isa} ${arg_LIBRARY} ${arg_INSTANCES})
      target_compile_options(room_${name}_instances_${isa} PRIVATE ${PINTLE_ISA_FLAGS_${isa}})
    endif()
  endforeach()
endfunction()

# pintle_library(<name>): of the objects of its rooms.
function(pintle_library name)
  get_property(objects GLOBAL PROPERTY PINTLE_OBJECTS_${name})
  set(files "")
  foreach(object IN LISTS objects)
    list(APPEND files $<TARGET_OBJECTS:${object}>)
  endforeach()
  add_library(${name} ${files})
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)
  target_compile_features(${name} INTERFACE cxx_std_20)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()
