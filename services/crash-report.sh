#!/bin/sh
# crash-report.sh SERVICE PROGRAM...: runs the program in its container. If the program ends by itself, writes the reason into
# the folder CRASHES_DIR, where the api reads it: the signal with its likely cause, or the last line.
# crash-report.sh --cause STATUS MEMORY <LOG: prints the reason, as the end of a sentence. MEMORY: what ran out, the limit or
# the machine's memory, or nothing.
set -u

# A program that ends sooner has answered no one, so its last line contains no words of the household.
starting_s=30

# Whether a line may contain the reason. Stack frames, exit messages and the shell's name of a signal do not.
is_telling() {
  case $1 in
    [[:space:]]* | 'Node.js v'* | *[Ee]xiting* | Aborted*) return 1 ;;
    *[a-zA-Z]*) return 0 ;;
    *) return 1 ;;
  esac
}

# Reads lines and prints the last one that may tell a reason, without the prefix of a logger.
last_line() {
  last=
  while IFS= read -r line || [ -n "$line" ]; do
    if is_telling "$line"; then last=$line; fi
  done
  tidy "$last"
}

tidy() {
  printf '%s\n' "$1" | sed -E -e 's/^[0-9]+:[A-Z] [0-9]+ [A-Za-z]+ [0-9]{4} [0-9:.]+ [.*#-] //' \
    -e 's/^\{.*"msg": *"(([^"\\]|\\.)*)".*/\1/' | cut -c -300
}

# Ends a line as a sentence, and adds the cause to one that only an expert understands.
sentence() {
  case $1 in
    *'Unsupported system page size'*)
      echo "$1. It was built for smaller memory pages than the $(getconf PAGESIZE) bytes of this machine."
      ;;
    *[.!?]) echo "$1" ;;
    *) echo "$1." ;;
  esac
}

# cause STATUS MEMORY LINE: how a program ended, as the end of a sentence.
cause() {
  case $2,$1 in
    limit,*) echo "was killed because its memory ran out (LLM_MEMORY and STT_MEMORY set the limits). Choose smaller models, or raise the limit." ;;
    machine,137) echo "was killed because the memory of this machine ran out. Free some, or choose smaller models." ;;
    *,132)
      lacks=
      for flag in avx:AVX avx2:AVX2 fma:FMA; do
        if grep -qsE '^flags' /proc/cpuinfo && ! grep -qsw "${flag%:*}" /proc/cpuinfo; then lacks="$lacks ${flag#*:}"; fi
      done
      if [ -n "$lacks" ]; then lacks="this processor lacks$lacks"; else lacks="its program was built for another processor"; fi
      echo "ended by an illegal instruction (SIGILL): $lacks."
      ;;
    *,135) echo "ended by SIGBUS: a file that it reads is damaged or too short, or the disk or /dev/shm is full." ;;
    *,137) echo "was killed (SIGKILL): it hung, or the memory of this machine ran out." ;;
    *,139) echo "crashed (SIGSEGV): its program is defective, does not fit this machine, or a model file is damaged." ;;
    *,134) echo "crashed (SIGABRT): $(sentence "$3")" ;;
    *) echo "ended with exit status $1: $(sentence "$3")" ;;
  esac
}

if [ "$1" = --cause ]; then
  line=$(last_line)
  cause "$2" "$3" "${line:-it says nothing.}"
  exit
fi

service=$1
shift
read -r host </proc/sys/kernel/hostname
folder=${CRASHES_DIR:-/crashes}
here=$folder/$service-$host

# Sets now_s by the monotonic clock.
look_at_clock() {
  read -r now_s _ </proc/uptime
  now_s=${now_s%%.*}
}
kills() { cat "$@" 2>/dev/null | sed -n 's/^oom_kill //p' | head -n 1; }
# The first two belong to this container, by the version of its cgroup.
limit_kills() { kills /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; }
machine_kills() { kills /proc/vmstat; }

# Passes the program's lines on. Notes the last one if the program ends while it starts.
pass_on() {
  last=
  look_at_clock
  until_s=$((now_s + starting_s))
  while IFS= read -r line || [ -n "$line" ]; do
    printf '%s\n' "$line"
    if is_telling "$line"; then last=$line; fi
    look_at_clock
    if [ "$now_s" -ge "$until_s" ]; then
      : >"$here.line"
      exec cat
    fi
  done
  look_at_clock
  if [ "$now_s" -ge "$until_s" ]; then last=; fi
  tidy "$last" >"$here.part"
  mv "$here.part" "$here.line"
}

report() {
  case $service in
    llm) title="The language model" ;;
    stt) title="The speech recognition" ;;
    tts) title="The voice" ;;
    redis) title=Redis ;;
    *) title="The $service" ;;
  esac
  reason=$(printf '%s %s' "$title" "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')
  printf '{"at":%s000,"reason":"%s"}' "$(date +%s)" "$reason" >"$here.part"
  mv "$here.part" "$folder/$service.json"
}

rm -f "$here.pipe" "$here.line"
mkfifo "$here.pipe" || exec "$@"
limit_before=$(limit_kills)
machine_before=$(machine_kills)
pass_on <"$here.pipe" &
program=
is_asked=
trap 'is_asked=1; if [ -n "$program" ]; then kill -TERM "$program" 2>/dev/null; fi' TERM INT
"$@" >"$here.pipe" 2>&1 &
program=$!
if [ -n "$is_asked" ]; then kill -TERM "$program" 2>/dev/null; fi
wait "$program"
status=$?
# A signal interrupts wait, even if the program has ended meanwhile. 127: the earlier wait returned its status.
while [ -n "$is_asked" ]; do
  is_asked=
  wait "$program"
  ended=$?
  if [ "$ended" != 127 ]; then status=$ended; fi
done
# The program's last line may never arrive, because a child process may still run.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  if [ -e "$here.line" ]; then break; fi
  sleep 0.1
done
case $status in
  # A requested stop is not a crash.
  0 | 129 | 130 | 143) ;;
  *)
    memory=
    if [ "$(machine_kills)" != "$machine_before" ]; then memory=machine; fi
    if [ "$(limit_kills)" != "$limit_before" ]; then memory=limit; fi
    line=$(cat "$here.line" 2>/dev/null)
    report "$(cause "$status" "$memory" "${line:-its log may tell more.}")"
    ;;
esac
rm -f "$here.pipe" "$here.line"
exit "$status"
