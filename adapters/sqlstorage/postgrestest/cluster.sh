# Runs a temporary PostgreSQL server until stdin is closed, which happens at the latest when the process
# that started this script ends.
#
# usage: sh -c cluster.sh sh BINARIES FOLDER SETTINGS      prints "ready" on stdout
set -eu
bin=$1 dir=$2 settings=$3
trap '' PIPE # stdout is closed if that process ends early
trap 'code=$?; [ $code = 0 ] || cat "$dir/log" >&2; rm -rf "$dir"; exit $code' EXIT

"$bin/initdb" --pgdata "$dir/data" --username diy --auth trust --encoding UTF8 --no-locale --no-sync >"$dir/log" 2>&1

"$bin/pg_ctl" start --pgdata "$dir/data" --log "$dir/log" --silent --wait --options \
	"-k $dir -c listen_addresses='' -c max_connections=200 $settings"
echo ready || :

cat >/dev/null
"$bin/pg_ctl" stop --pgdata "$dir/data" --mode immediate --silent --wait
