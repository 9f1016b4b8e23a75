#!/bin/sh
# The words and the set-up of ./run, without building or installing: what it calls is replaced by stubs on the path.
# usage: run_script_test.sh SOURCE SCRATCH
set -eu

source=$1
work="$2/run script"
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect CODE PATTERN COMMAND...: the command ends with the code and prints the pattern.
expect() {
  code=$1
  pattern=$2
  shift 2
  actual=0
  output=$("$@" 2>&1 </dev/null) || actual=$?
  [ "$actual" -eq "$code" ] || fail "'$*' ended with $actual, expected $code: $output"
  printf '%s\n' "$output" | grep -q -e "$pattern" || fail "'$*' did not print '$pattern': $output"
}

# stub NAME TEXT: a command of that name on the path of the stubs, alone.
stub() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

fresh_stubs() {
  rm -rf "$work"
  mkdir -p "$work/bin" "$work/a tree"
  cp "$source/run" "$work/a tree/run"
  for tool in sh dirname readlink nproc sort tr cat mkdir tail; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
  done
}

run() {
  PATH="$work/bin" "$work/a tree/run" "$@"
}

for shell in sh dash bash; do
  if command -v "$shell" >/dev/null; then
    "$shell" -n "$source/run" || fail "$shell does not parse ./run"
  fi
done
bash -n "$source/.ci/run" || fail "bash does not parse .ci/run"

fresh_stubs
expect 0 '^usage: ./run' run help
expect 2 "no test suite 'nonsense'; there are: quick core house browser all peers" run test nonsense
expect 2 "no test suite 'nonsense'" run test core nonsense
expect 2 "no test suite 'nonsense'" run test peers nonsense
expect 2 'takes .quick. or nothing' run sanitizers nonsense
expect 2 'bench peers takes .--quick. or nothing' run bench peers nonsense
expect 2 'bench bodies takes .--keep. or nothing, not .nonsense.' run bench bodies nonsense
expect 2 'unexpected: nonsense' run bench simulation nonsense
expect 2 'unexpected: nonsense' run bench report nonsense
expect 2 'unexpected: nonsense' run docs nonsense
expect 2 "no fuzz target 'nonsense'; there are: scene expression unit stl obj csv" run fuzz scene nonsense
expect 2 "--runs takes a number, not '1e6'" run fuzz scene --runs 1e6
expect 2 "--runs takes a number, not ''" run fuzz --runs
ln -s "$work/a tree/run" "$work/bin/linked"
expect 0 '^usage: ./run' env PATH="$work/bin" "$work/bin/linked" help

# Debian, a package missing, neither root nor sudo: nothing is installed and the command to type is printed.
fresh_stubs
stub dpkg-query 'shift 3; for package; do [ "$package" = cmake ] || printf "installed:%s " "$package"; done; exit 1'
stub apt-get 'echo "apt-get $*" >>"$0.calls"'
stub id 'echo 1000'
expect 10 '^  sudo apt-get update && sudo apt-get install --no-install-recommends cmake$' run --version
stub sudo 'exit 1'
expect 10 'install --no-install-recommends cmake$' run --version
[ ! -e "$work/bin/apt-get.calls" ] || fail "apt-get was called without the right to"

# Half-removed packages are missing too.
stub dpkg-query 'shift 3; for package; do printf "config-files:%s " "$package"; done'
expect 10 'install --no-install-recommends .*doctest-dev.* g++ ' run --version

# Root: only what is missing is installed, without recommendations, and apt's failure is shown.
stub dpkg-query 'shift 3; for package; do [ "$package" = cmake ] || printf "installed:%s " "$package"; done; exit 1'
stub id 'echo 0'
stub env 'shift; "$@"'
stub apt-get 'echo "apt-get $*" >>"$0.calls"; [ "$1" = update ] || { echo "no such mirror"; exit 100; }'
expect 10 'no such mirror' run --version
calls=$(cat "$work/bin/apt-get.calls")
[ "$calls" = "apt-get update
apt-get install -y --no-install-recommends cmake" ] || fail "apt-get was called otherwise: $calls"

# Passwordless sudo installs as well.
rm "$work/bin/apt-get.calls"
stub id 'echo 1000'
stub sudo '[ "$1" != -n ] || exit 0; echo "sudo" >>"$(dirname "$0")/apt-get.calls"; "$@"'
expect 10 'no such mirror' run --version
[ "$(grep -c sudo "$work/bin/apt-get.calls" || true)" = 2 ] || fail "sudo was not used for apt-get"

# Another system: what is needed is named.
fresh_stubs
stub g++ ''
expect 10 'Debian packages hold: g++ cmake ninja-build' run --version
expect 10 '^run: not found: cmake ninja-build pkg-config python3$' run --version

# The default job: the program is built and runs the showcase; other words go to the program as they are.
fresh_stubs
for tool in g++ cmake ninja pkg-config python3 touch; do stub "$tool" ''; done
mkdir -p "$work/a tree/build/native/bin"
printf '#!/bin/sh\necho "pintle $*"\n' >"$work/a tree/build/native/bin/pintle"
chmod +x "$work/a tree/build/native/bin/pintle"
expect 0 "^pintle run showcase --out $work/a tree/build/showcase\$" run
expect 0 '^pintle scenes top$' run scenes top

# The browser suite: node, npm and Chromium may come from anywhere; packages are fetched once; what fails is told.
fresh_stubs
for tool in g++ cmake ninja pkg-config python3 touch; do stub "$tool" ''; done
for tool in cmp cp; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
mkdir -p "$work/a tree/build/native/bin" "$work/a tree/viewer/node_modules"
echo '{}' >"$work/a tree/viewer/package-lock.json"
printf '#!/bin/sh\necho "pintle $*" >>"$(dirname "$0")/calls"\n' >"$work/a tree/build/native/bin/pintle"
chmod +x "$work/a tree/build/native/bin/pintle"
expect 10 '^run: not found: chromium nodejs npm$' run test browser
stub chromium ''
stub node 'echo "$CHROMIUM: $*"'
stub npm 'echo "no route to the registry"; exit 1'
expect 10 'no route to the registry' run test browser
expect 10 '^run: try again with a connection to npm' run test browser
stub npm 'echo "$*" >>"$0.calls"; [ "$2" != check-bundle ] || { echo "the page is not what viewer/ builds"; exit 1; }'
expect 1 'the page is not what viewer/ builds' run test browser
stub npm 'echo "$*" >>"$0.calls"'
expect 0 "^$work/bin/chromium: $work/a tree/viewer/test/browser.mjs --shots .*/showcase/report.html .*--look .*/top/report.html --special fifty=.*/fifty/report.html" run test browser
[ "$(grep -c '^ci ' "$work/bin/npm.calls")" = 1 ] || fail "npm ci was called again"
[ "$(grep -c 'run .* --out' "$work/a tree/build/native/bin/calls")" = 15 ] || fail "not fifteen scenes were run"
expect 0 '--speed --fps 4 .*/showcase/report.html' run bench report
expect 0 '--speed --open 2000 .*/fifty/report.html' run bench report
stub node 'exit 1'
expect 1 'the reports failed in the browser' run test browser

# Debian with node of another origin: only Chromium is missing.
stub dpkg-query 'shift 3; for package; do case $package in nodejs | npm | chromium) ;; *) printf "installed:%s " "$package" ;; esac; done'
stub apt-get ''
stub id 'echo 1000'
rm "$work/bin/chromium"
expect 10 'install --no-install-recommends chromium$' env PATH="$work/bin" PINTLE_JOBS=1 "$work/a tree/run" test browser

# PyPI out of reach: said once, with what still works; the environment is not taken for a good one the next time.
fresh_stubs
for tool in g++ cmake ninja pkg-config clang++; do stub "$tool" ''; done
for tool in rm cmp; do ln -s "$(command -v "$tool")" "$work/bin/$tool"; done
mkdir -p "$work/a tree/tests/peers"
echo 'engine==1.0' >"$work/a tree/tests/peers/requirements.txt"
stub python3 'mkdir -p "$3/bin"; cp "$(dirname "$0")/python" "$3/bin/python"'
stub python 'echo "no route to the index"; exit 1'
ln -s "$(command -v cp)" "$work/bin/cp"
for word in test bench; do
  expect 10 'no route to the index' run "$word" peers
  expect 10 '^run: the other engines are not here' run "$word" peers
  expect 10 '^run: try again with a connection to PyPI' run "$word" peers
done

# PyPI within reach: the pinned versions are asked for, once, and then the build begins.
stub python 'echo "$*" >>"$(dirname "$0")/../../../asked"'
stub touch ''
stub cmake 'echo "cmake $*"; exit 1'
stub id 'echo 1000'
expect 11 'cmake --preset peers' run test peers
expect 11 'cmake --preset peers' run bench peers --quick
asked=$(cat "$work/a tree/asked")
case $asked in
  *"
"*) fail "packages were fetched twice: $asked" ;;
  *"--requirement $work/a tree/tests/peers/requirements.txt"*) ;;
  *) fail "packages were fetched otherwise: $asked" ;;
esac

[ "$failures" -eq 0 ] || exit 1
echo "run script: all as expected"
