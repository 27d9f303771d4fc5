#!/bin/sh
# kinds.sh PROGRAM OPTION...: runs the program for the engines of this machine. Other engines need no model here.
set -eu
kinds=wake,sentences
for kind in llm stt tts; do
  case $kind in llm) url=${LLM_URL-} ;; stt) url=${STT_URL-} ;; tts) url=${TTS_URL-} ;; esac
  if [ -z "$url" ]; then kinds=$kinds,$kind; fi
done
exec python "$@" --models-dir /models --own-dir /own-models --kinds "$kinds" ${FORGET_CHOICES:+--forget-choices}
