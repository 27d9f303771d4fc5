# Makes a log line readable: time, process, message, and the other fields. Passes lines of other programs unchanged.
# "docker compose logs" puts the container's name before each line.
function text(name,   at, rest, value) {
  at = index($0, "\"" name "\":")
  if (!at) return ""
  rest = substr($0, at + length(name) + 3)
  if (substr(rest, 1, 1) == "\"") {
    match(rest, /^"([^"\\]|\\.)*"/)
    value = substr(rest, 2, RLENGTH - 2)
    gsub(/\\"/, "\"", value); gsub(/\\n/, " ", value); gsub(/\\\\/, "\\", value)
  } else {
    match(rest, /^[^,}\]]*/)
    value = substr(rest, 1, RLENGTH)
  }
  return value
}
{
  start = index($0, "{\"level\":")
  if (!start) { print; fflush(); next }
  level = text("level")
  message = text("msg")
  time = text("time")
  sub(/^[^T]*T/, "", time); sub(/\..*/, "", time)
  more = ""
  count = split("name from scope path status error code reason engine model turn ms port times", names, " ")
  for (at = 1; at <= count; at++) { value = text(names[at]); if (value != "" && value != "null") more = more " " names[at] "=" value }
  fault = index($0, "\"err\":{") ? text("message") : ""
  if (fault != "") more = more ": " fault
  loud = level == "info" || level == "debug" || level == "trace" ? "" : toupper(level) " "
  printf "%s %-9s %s%s%s\n", time, text("process"), loud, message, more
  fflush()
}
