#!/bin/sh
# start.sh FOLDER COMMAND...: looks at the append-only file in FOLDER, then becomes COMMAND, which is Redis.
#
# Redis mends an end that a power cut has torn by itself. Where bytes in the middle are broken it would never start again, and say so in its log
# only. Here the damaged files are kept aside, everything from the broken place on is cut off, and a note of it goes into the file, so that the
# check of the household tells it.
set -u

folder=$1
shift
files=$folder/appendonlydir
manifest=$files/appendonly.aof.manifest
note_key=hearth:mended
note_days=14
# A line of a command that the power cut short is no longer than this.
torn_bytes=32

look() { "$checker" "$@" "$manifest" 2>&1; }
say() { echo "start.sh: $*" >&2; }

# One command as Redis writes them down.
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
    # The power went in the middle of a line: Redis would cut it off as well.
    yes | look --fix >/dev/null || true
    return
  fi
  kept=damaged-$(date -u +%Y-%m-%dT%H-%M-%SZ)
  if ! cp -r "$files" "$folder/$kept"; then
    rm -rf "${folder:?}/$kept"
    say "the append-only file is damaged, and there is no room to keep it aside before it is mended"
    return
  fi
  if ! yes | look --fix >/dev/null; then
    say "the append-only file is damaged and could not be mended; it is kept in $folder/$kept. Restore the newest backup"
    return
  fi
  now=$(date +%s)
  note=$(printf '{"at":%s000,"lostBytes":%s,"kept":"%s"}' "$now" "$lost" "$kept")
  command_of SET "$note_key" "$note" PXAT "$((now + note_days * 86400))000" >>"$files/$file"
  say "the append-only file was damaged in the middle. It was mended: $lost bytes from there on were cut off. The damaged one is kept in $folder/$kept"
}

checker=$(command -v redis-check-aof || command -v valkey-check-aof || true)
if [ -n "$checker" ] && [ -f "$manifest" ] && ! told=$(look </dev/null); then
  case $told in
    # Anything else that a healthy file would have here: bytes are broken. A torn end reads "Expected to read ... bytes".
    *'Expected \r\n'* | *'Expected prefix'*) mend "$told" ;;
    *'RDB ERROR'* | *'not sane'*) say "the base of the append-only file is damaged. Restore the newest backup: docs/admin.md tells how" ;;
  esac
fi
exec "$@"
