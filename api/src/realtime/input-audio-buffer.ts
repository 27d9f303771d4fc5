import { bytesOf } from './client-events.ts';
import { refused } from './refusals.ts';
import { createInputConverter, lengthMs, type WireFormat } from './sound-formats.ts';

/** Processed in small pieces: a minute at once would delay other sessions. */
const pieceBytes = 32_000;
/** OpenAI's limit: less is a client error, not speech. */
const minCommitMs = 100;

/** A client's input audio buffer: converts sound to 16 kHz, and measures the uncommitted part. */
export function createInputAudioBuffer(format: () => WireFormat) {
  let current = format();
  let convert = createInputConverter(current);
  let uncommittedMs = 0;

  return {
    /** Returns the samples of base64 sound at 16 kHz, in pieces. */
    append(audio: string): Buffer[] {
      if (format() !== current) {
        current = format();
        convert = createInputConverter(current);
      }
      const bytes = bytesOf(audio);
      uncommittedMs += lengthMs(current, bytes.length);
      const samples = convert(bytes);
      const count = Math.ceil(samples.length / pieceBytes);
      return Array.from({ length: count }, (_, at) =>
        samples.subarray(at * pieceBytes, (at + 1) * pieceBytes),
      );
    },
    /** Returns the length of the sound in ms. Throws if it is too short for speech. */
    commit(): number {
      const ms = uncommittedMs;
      if (ms < minCommitMs)
        throw refused(
          `The buffer holds only ${Math.floor(ms)} ms of sound. A commit needs at least ${minCommitMs} ms.`,
          undefined,
          'input_audio_buffer_commit_empty',
        );
      uncommittedMs = 0;
      return ms;
    },
    clear(): void {
      uncommittedMs = 0;
    },
  };
}
