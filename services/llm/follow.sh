#!/bin/sh
# follow.sh LINK PROGRAM...: runs the program with -m and the file that LINK leads to. When LINK leads to another one, because another model was
# chosen, it ends the program and itself, and Docker starts both again.
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
