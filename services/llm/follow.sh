#!/bin/sh
# follow.sh LINK PROGRAM...: runs the program with -m and the target of LINK. The link moves when another model is chosen.
# Then this script ends the program and itself, and Docker starts both again.
set -eu
link=$1
shift
model=$(readlink -f "$link")
"$@" -m "$model" &
server=$!
trap 'kill -TERM "$server" 2>/dev/null' TERM INT
while kill -0 "$server" 2>/dev/null; do
  if [ -e "$link" ] && [ "$(readlink -f "$link")" != "$model" ]; then kill -TERM "$server"; fi
  sleep 1 &
  wait "$!" || true
done
wait "$server"
