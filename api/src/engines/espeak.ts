import type { Pcm } from '../audio/pcm.ts';
import { ProgramError, runProgram } from '../audio/run-program.ts';
import { findSandbox } from '../audio/sandbox.ts';
import { readWav } from '../audio/wav.ts';
import { EngineError } from './engine-client.ts';

interface EspeakOptions {
  /** The program: a name on the PATH, or its full path. */
  path: string;
  /** An espeak-ng voice, such as en-us. */
  voice: string;
}

/**
 * Slower than espeak's default of 175: this voice is harder to follow than Piper's, and mostly brings bad
 * news.
 */
const wordsPerMinute = 160;
/** The range that espeak-ng accepts. */
const [slowest, fastest] = [80, 450];
/**
 * Limit of a text. Piper's pieces have 400 characters. In espeak, 4,000 characters give 7 MB, in a third of a
 * second.
 */
const maxCharacters = 4_000;
const maxOutputBytes = 16 * 1024 * 1024;
const timeoutMs = 10_000;

/** The fallback voice when Piper fails: espeak-ng, a small system program. */
export function createEspeak({ path, voice }: EspeakOptions) {
  // -b 1: the text is UTF-8, whatever the locale.
  const args = ['--stdin', '--stdout', '-b', '1', '-v', voice, '-s'];
  const sandbox = findSandbox({ path, probe: ['--version'] });
  const paceOf = (speed: number) =>
    String(Math.round(Math.min(fastest, Math.max(slowest, wordsPerMinute * speed))));

  return {
    /** The sandbox the program runs in. */
    sandbox: () => sandbox.then(({ kind }) => kind),

    /**
     * Converts a sentence to sound at `speed` times the normal rate. Throws EngineError, `unreachable` if the
     * program is not installed.
     */
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
      // espeak writes to a pipe, so its header claims two gigabytes; readWav takes the actual bytes.
      const sound = exitCode === 0 ? readWav(output) : null;
      if (sound && sound.samples.length > 0) return sound;
      throw new EngineError('tts', 'broken', { detail: `${path} made no sound (exit code ${exitCode})` });
    },
  };
}

/** Control characters end the text early, and double brackets mark phonemes. */
function speakable(text: string): string {
  return text.replaceAll(/\[\[|\]\]|\p{Cc}/gu, ' ').trim();
}

function toEngineError(error: ProgramError): EngineError {
  const failures = { missing: 'unreachable', timeout: 'timeout', too_much_output: 'broken' } as const;
  return new EngineError('tts', failures[error.fault], { cause: error });
}
