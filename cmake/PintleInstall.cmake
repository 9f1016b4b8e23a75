# How others find Pintle: `find_package(pintle)`, `pkg-config pintle`, and the Debian package (`./run package`).
option(PINTLE_INSTALL "Add the install rules" ${PROJECT_IS_TOP_LEVEL})

# For users who compile the header templates with flags that allow fused multiply-adds (-mfma, -march=...) and want the
# library's bits from them. Nothing else needs a flag.
add_library(pintle_reproducible INTERFACE)
add_library(pintle::reproducible ALIAS pintle_reproducible)
set_target_properties(pintle_reproducible PROPERTIES EXPORT_NAME reproducible)
target_compile_options(pintle_reproducible INTERFACE -ffp-contract=off $<$<CXX_COMPILER_ID:GNU>:-fno-tree-vectorize>)

if(NOT PINTLE_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)

install(TARGETS pintle pintle_batch pintle_reproducible EXPORT pintleTargets)
if(TARGET pintle_cli)
  install(TARGETS pintle_cli)
  if(TARGET pintle_printed)
    set(pintle_printed ${PROJECT_BINARY_DIR}/apps/cli)
    # Debian's zsh looks for what packages bring in another folder than for what is local.
    set(pintle_zsh_folder zsh/site-functions)
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
      set(pintle_zsh_folder zsh/vendor-completions)
    endif()
    install(FILES ${pintle_printed}/pintle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${pintle_printed}/pintle.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
      RENAME pintle)
    install(FILES ${pintle_printed}/_pintle DESTINATION ${CMAKE_INSTALL_DATADIR}/${pintle_zsh_folder})
    install(FILES ${pintle_printed}/pintle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH pintle_bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(pintle_cli PROPERTIES INSTALL_RPATH "$ORIGIN/${pintle_bin_to_lib}")
  endif()
endif()

# The public headers: those that can be reached from the umbrella headers. All others are the library's own business.
set(pintle_public pintle/pintle.h pintle/simulation.h pintle/io.h pintle/batch.h pintle/generic.h pintle/eigen.h)
set(pintle_unread ${pintle_public})
while(pintle_unread)
  list(POP_FRONT pintle_unread header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/src/${header} lines REGEX "^#include \"pintle/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST pintle_public)
      list(APPEND pintle_public ${included})
      list(APPEND pintle_unread ${included})
    endif()
  endforeach()
endwhile()
foreach(header IN LISTS pintle_public)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(pintle_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pintle)
install(EXPORT pintleTargets NAMESPACE pintle:: DESTINATION ${pintle_config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/pintleConfig.cmake.in
  ${PROJECT_BINARY_DIR}/pintleConfig.cmake
  INSTALL_DESTINATION ${pintle_config_dir}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface; from then on only a major one.
set(pintle_compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(pintle_compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pintleConfigVersion.cmake COMPATIBILITY ${pintle_compatibility})
install(FILES ${PROJECT_BINARY_DIR}/pintleConfig.cmake ${PROJECT_BINARY_DIR}/pintleConfigVersion.cmake
  DESTINATION ${pintle_config_dir})

# The prefix in pintle.pc is relative to the file itself, so the installed tree can be moved.
file(RELATIVE_PATH pintle_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# A shared library knows what it needs; who links a static one must be told, with or without --static.
set(pintle_pc_needs "-lqhull_r -lpugixml -pthread")
if(BUILD_SHARED_LIBS)
  set(pintle_pc_libraries "-lpintle")
else()
  set(pintle_pc_libraries "-lpintle ${pintle_pc_needs}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/pintle.pc.in ${PROJECT_BINARY_DIR}/pintle.pc @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/pintle-batch.pc.in ${PROJECT_BINARY_DIR}/pintle-batch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/pintle.pc ${PROJECT_BINARY_DIR}/pintle-batch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME pintle)
  set(CPACK_PACKAGE_VENDOR "Pintle contributors")
  set(CPACK_PACKAGE_CONTACT "Pintle contributors <pintle@example.org>")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Library, headers and command line program of Pintle: dynamics of rigid bodies
 in the vocabulary of screw theory, with the same bits everywhere.")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  include(CPack)
endif()
