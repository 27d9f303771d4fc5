import type { Pcm } from '../audio/pcm.ts';
import { ProgramError, runProgram } from '../audio/run-program.ts';
import { findSandbox } from '../audio/sandbox.ts';
import { readWav } from '../audio/wav.ts';
import { EngineError } from './engine-client.ts';

interface EspeakOptions {
  /** The program: a name on the system's path, or where it is. */
  path: string;
  /** One of its voices, such as en-us. */
  voice: string;
  /** How fast it speaks. */
  wordsPerMinute?: number;
}

export type Espeak = ReturnType<typeof createEspeak>;

/** Slower than its own 175: this voice is harder to follow than Piper's, and it mostly has bad news. */
const clearWordsPerMinute = 160;
/** The range that espeak-ng takes. */
const [slowest, fastest] = [80, 450];
/** A piece of a reply has 400, in full more: what is too long for Piper is still said here. Its 4,000 are 7 MB at most, in a third of a second. */
const maxCharacters = 4_000;
const maxOutputBytes = 16 * 1024 * 1024;
const timeoutMs = 10_000;

/** The voice that is left when Piper is not: espeak-ng, a small program of the system. */
export function createEspeak({ path, voice, wordsPerMinute = clearWordsPerMinute }: EspeakOptions) {
  // -b 1: the text is UTF-8, whatever the locale.
  const args = ['--stdin', '--stdout', '-b', '1', '-v', voice, '-s'];
  const sandbox = findSandbox({ path, probe: ['--version'] });
  const paceOf = (speed: number) =>
    String(Math.round(Math.min(fastest, Math.max(slowest, wordsPerMinute * speed))));

  return {
    /** How the program is confined. */
    sandbox: () => sandbox.then(({ kind }) => kind),

    /** A sentence to sound, at so many times its own speed. Throws EngineError, `unreachable` where the program is not installed. */
    async speak(text: string, signal: AbortSignal, speed = 1): Promise<Pcm> {
      const words = speakable(text);
      if (words.length > maxCharacters) {
        throw new EngineError('tts', 'refused', {
          detail: `${words.length} characters at once are too many`,
        });
      }
      const input = Buffer.from(words);
      const { output, exitCode } = await runProgram({
        path,
        args: [...args, paceOf(speed)],
        sandbox: await sandbox,
        input,
        maxOutputBytes,
        timeoutMs,
        signal,
      }).catch((error: unknown) => {
        throw error instanceof ProgramError ? toEngineError(error) : error;
      });
      // Its header promises two gigabytes, as it cannot know better when it writes to a pipe; readWav takes what is there.
      const sound = exitCode === 0 ? readWav(output) : null;
      if (sound && sound.samples.length > 0) return sound;
      throw new EngineError('tts', 'broken', { detail: `${path} made no sound (exit code ${exitCode})` });
    },
  };
}

/** Control characters end its reading early, and double brackets it takes for phonemes. */
function speakable(text: string): string {
  return text.replaceAll(/\[\[|\]\]|\p{Cc}/gu, ' ').trim();
}

function toEngineError(error: ProgramError): EngineError {
  const failures = { missing: 'unreachable', timeout: 'timeout', too_much_output: 'broken' } as const;
  return new EngineError('tts', failures[error.fault], { cause: error });
}
