#!/bin/sh
# start.sh FOLDER COMMAND...: checks the append-only file in FOLDER, then becomes COMMAND, which is Redis.
#
# Redis repairs a file that a power cut has truncated. If bytes in the middle are damaged, Redis would never start again and
# only log the reason. This script then saves the damaged files, cuts off everything after the damage, and adds a note to the
# file, which the household's check reports.
set -u

folder=$1
shift
files=$folder/appendonlydir
manifest=$files/appendonly.aof.manifest
note_key=hearth:mended
note_days=14
# Maximum length of a truncated line at the end of the file.
torn_bytes=32

look() { "$checker" "$@" "$manifest" 2>&1; }
say() { echo "start.sh: $*" >&2; }

# Encodes one command as in the append-only file.
command_of() {
  printf '*%d\r\n' "$#"
  for word in "$@"; do printf '$%d\r\n%s\r\n' "${#word}" "$word"; done
}

mend() {
  analysed=$(printf '%s\n' "$1" | grep 'AOF analyzed' | tail -n 1)
  file=$(printf '%s' "$analysed" | sed 's/.*filename=\([^,]*\),.*/\1/')
  lost=$(printf '%s' "$analysed" | sed 's/.*diff=\([0-9]*\).*/\1/')
  size=$(printf '%s' "$analysed" | sed 's/.*size=\([0-9]*\).*/\1/')
  broken_at=$((0x$(printf '%s\n' "$1" | sed -n 's/^0x *\([0-9a-f]*\): Expected .*/\1/p' | tail -n 1)))
  if [ "$broken_at" -gt $((size - torn_bytes)) ]; then
    # A power cut truncated the last line: Redis would cut it off too.
    yes | look --fix >/dev/null || true
    return
  fi
  kept=damaged-$(date -u +%Y-%m-%dT%H-%M-%SZ)
  if ! cp -r "$files" "$folder/$kept"; then
    rm -rf "${folder:?}/$kept"
    say "the append-only file is damaged, and there is no room to keep a copy before the repair"
    return
  fi
  if ! yes | look --fix >/dev/null; then
    say "the append-only file is damaged and could not be repaired; it is kept in $folder/$kept. Restore the newest backup"
    return
  fi
  now=$(date +%s)
  note=$(printf '{"at":%s000,"lostBytes":%s,"kept":"%s"}' "$now" "$lost" "$kept")
  command_of SET "$note_key" "$note" PXAT "$((now + note_days * 86400))000" >>"$files/$file"
  say "the append-only file was damaged in the middle. It was repaired: $lost bytes from there on were cut off. The damaged one is kept in $folder/$kept"
}

checker=$(command -v redis-check-aof || command -v valkey-check-aof || true)
if [ -n "$checker" ] && [ -f "$manifest" ] && ! told=$(look </dev/null); then
  case $told in
    # Wrong bytes here mean damage. A truncated end is reported as "Expected to read ... bytes".
    *'Expected \r\n'* | *'Expected prefix'*) mend "$told" ;;
    *'RDB ERROR'* | *'not sane'*) say "the base of the append-only file is damaged. Restore the newest backup: docs/admin.md tells how" ;;
  esac
fi
exec "$@"
