#!/usr/bin/env bash
# Finds the PostgreSQL binaries that the storage tests start a throwaway server from. Installs
# Debian's when there are none and we may; exits 1 when there are none in the end.
set -euo pipefail

find_postgres() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null
}

install_postgres() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo 'No PostgreSQL here: installing it with apt-get.' >&2
  {
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql
  } >&2 </dev/null
}

find_postgres || { install_postgres && find_postgres; }
