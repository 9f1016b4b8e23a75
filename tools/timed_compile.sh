#!/bin/sh
# timed_compile.sh COMPILER OPTION...: a compiler's launcher that notes what an object costs, for tools/build_cost.py: the
# seconds of `times` (this shell's, then the compiler's; user and system) in OBJECT.time.
"$@" || exit
while [ $# -gt 1 ]; do
  if [ "$1" = -o ]; then
    times >"$2.time"
    exit
  fi
  shift
done
