import type { OpenUtterance } from '../../audio/listener.ts';
import type { Clock } from '../../clock.ts';
import type { TranscriptCandidate } from '../../turn/turn.ts';
import type { TranscribePartial } from '../../turn-client/partial-transcription.ts';
import type { UtteranceOrigin } from '../utterance/pending-utterance.ts';

/** Shorter sound contains no useful words. */
const minSoundMs = 500;
/** Delay of a partial transcription in a pause. If the pause is the end, the final transcript comes first. */
const lullMs = 32;

type Place = Pick<UtteranceOrigin, 'room' | 'language'>;

interface PartialTranscriptsOptions {
  transcribePartial: TranscribePartial;
  clock: Clock;
  /** Time between partial transcripts (null: none), and the revision of these settings. */
  settings: () => { partialsEveryMs: number | null; revision: number };
  /** The wake words that the transcript leaves out, if one was detected. */
  calledBy: () => readonly string[] | undefined;
  /** Null while no voice is heard. */
  soFar: () => OpenUtterance | null;
  onPartial: (transcript: TranscriptCandidate, untilMs: number) => void;
}

/**
 * Transcribes an unfinished sentence repeatedly: one request at a time, and only while recognition is idle.
 */
export function createPartialTranscripts({
  transcribePartial,
  clock,
  settings,
  calledBy,
  soFar,
  onPartial,
}: PartialTranscriptsOptions) {
  let dropRequest = (): void => undefined;
  let cancelTimeout = (): void => undefined;

  const later = (place: Place) => {
    const { partialsEveryMs } = settings();
    if (partialsEveryMs !== null) cancelTimeout = clock.after(partialsEveryMs, () => transcribe(place));
  };
  const transcribe = (place: Place): void => {
    const said = soFar();
    if (said === null) {
      cancelTimeout = clock.after(lullMs, () => transcribe(place));
      return;
    }
    if (said.lengthMs < minSoundMs) {
      later(place);
      return;
    }
    const leave = new AbortController();
    dropRequest = () => leave.abort();
    transcribePartial({
      sound: said.joined ?? said.sound,
      ...place,
      revision: settings().revision,
      calledBy: calledBy(),
      signal: leave.signal,
    })
      .then((transcript) => {
        if (!leave.signal.aborted && transcript && transcript.text !== '')
          onPartial(transcript, said.untilMs);
      })
      // No one waits for a partial transcript. If recognition fails, the final transcript reports it.
      .catch(() => undefined)
      .then(() => {
        if (!leave.signal.aborted) later(place);
      });
  };

  const stop = () => {
    cancelTimeout();
    dropRequest();
  };
  return {
    start(place: Place): void {
      stop();
      later(place);
    },
    stop,
  };
}
