#!/usr/bin/env bash
# Checks that the PostgreSQL binaries are installed with which the storage tests start temporary servers. As root on
# Debian it installs PostgreSQL if it is missing. Exits with 1 if PostgreSQL is not available.
set -euo pipefail

find_postgres() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null
}

install_postgres() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  echo 'PostgreSQL not found: installing it with apt-get.' >&2
  {
    apt-get update -qq &&
      DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql
  } >&2 </dev/null
}

find_postgres || { install_postgres && find_postgres; }
