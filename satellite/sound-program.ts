import type { ChildProcess } from 'node:child_process';
import { Ending } from './ending.ts';
import { gettext } from './gettext.ts';
import { sampleRateHz } from './wav.ts';

/** Raw samples in our format, for both arecord and aplay. */
export const rawFormat = ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', `${sampleRateHz}`, '-c', '1'];

/** Tells the person if arecord or aplay cannot start or ends unexpectedly. */
export function watchProgram(child: ChildProcess, { name, instead, choose, onEnd }: ProgramOptions): void {
  let said = '';
  child.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-2_000);
  });
  child.on('error', (error) => {
    const isMissing = 'code' in error && error.code === 'ENOENT';
    onEnd(
      new Ending(
        isMissing
          ? gettext('%s is missing. Install it with "sudo apt install alsa-utils", or %s.', name, instead)
          : gettext('%s cannot be started: %s', name, error.message),
      ),
    );
  });
  child.on('close', (code, signal) => {
    if (code === 0 || signal) onEnd(null);
    else onEnd(new Ending(gettext('%s failed: %s. %s', name, lastOf(said), choose), 1));
  });
}

/** The last line is the reason; its prefix "arecord: main:831: " is no help. */
function lastOf(said: string): string {
  const line = said.trim().split('\n').at(-1) ?? '';
  return line.replace(/^\w+: \w+:\d+: /, '');
}

interface ProgramOptions {
  name: string;
  /** Advice for working without the program. */
  instead: string;
  /** Advice for choosing another device. */
  choose: string;
  /** Called once or twice. The first call has the reason; null if nothing went wrong. */
  onEnd: (fault: Ending | null) => void;
}
