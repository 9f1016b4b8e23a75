# One target per layer (docs/architecture.md). A layer has ordinary sources, and sources that are compiled once per
# instruction set:
#   KERNELS    the engine's own hot code, in the namespaces kernels_<isa>, chosen at run time;
#   INSTANCES  explicit instantiations of the templates that public headers only declare, in the namespaces inline_<isa>,
#              chosen by the flags of the user's own translation unit.

# Each set of flags starts from the plain architecture, so that -march=native in CMAKE_CXX_FLAGS does not reach the kernels.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
  set(PINTLE_ISAS baseline avx2 avx512)
  set(PINTLE_ISA_FLAGS_baseline -march=x86-64)
  set(PINTLE_ISA_FLAGS_avx2 -march=x86-64 -mavx2 -mfma)
  set(PINTLE_ISA_FLAGS_avx512 -march=x86-64 -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma)
else()
  set(PINTLE_ISAS baseline)
  set(PINTLE_ISA_FLAGS_baseline "")
endif()

# What every object of ours is compiled with. Contraction off: fused multiply-adds are written out, so bits depend on no
# compiler. No errno, no traps: neither changes a value. Never -ffast-math: it breaks range reduction.
add_library(pintle_flags INTERFACE)
target_compile_features(pintle_flags INTERFACE cxx_std_20)
target_compile_options(pintle_flags INTERFACE
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor
  $<$<BOOL:${PINTLE_WERROR}>:-Werror>)
# g++'s vectoriser fuses multiplications and additions although contraction is off (docs/decisions/0002-bits.md); kernels
# say themselves what goes into lanes.
target_compile_options(pintle_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)
# g++ 12 sees overlapping copies in `"text" + string` where there are none.
target_compile_options(pintle_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
target_include_directories(pintle_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)

function(_pintle_object_library target)
  add_library(${target} OBJECT ${ARGN})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF VISIBILITY_INLINES_HIDDEN ON)
  target_link_libraries(${target} PRIVATE pintle_flags)
endfunction()

# pintle_layer(<name> SOURCES ... [KERNELS ...] [INSTANCES ...] [LIBRARIES ...])
function(pintle_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;KERNELS;INSTANCES;LIBRARIES" ${ARGN})
  list(TRANSFORM arg_SOURCES PREPEND ${name}/)
  list(TRANSFORM arg_KERNELS PREPEND ${name}/)
  list(TRANSFORM arg_INSTANCES PREPEND ${name}/)

  set(objects "")
  if(arg_SOURCES)
    _pintle_object_library(pintle_${name} ${arg_SOURCES})
    target_link_libraries(pintle_${name} PRIVATE ${arg_LIBRARIES})
    list(APPEND objects pintle_${name})
  endif()
  foreach(isa IN LISTS PINTLE_ISAS)
    if(arg_KERNELS)
      _pintle_object_library(pintle_${name}_kernels_${isa} ${arg_KERNELS})
      target_compile_options(pintle_${name}_kernels_${isa} PRIVATE ${PINTLE_ISA_FLAGS_${isa}})
      target_compile_definitions(pintle_${name}_kernels_${isa} PRIVATE PINTLE_KERNELS)
      list(APPEND objects pintle_${name}_kernels_${isa})
    endif()
    if(arg_INSTANCES)
      _pintle_object_library(pintle_${name}_instances_${isa} ${arg_INSTANCES})
      target_compile_options(pintle_${name}_instances_${isa} PRIVATE ${PINTLE_ISA_FLAGS_${isa}})
      list(APPEND objects pintle_${name}_instances_${isa})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PINTLE_LAYER_OBJECTS ${objects})
endfunction()
