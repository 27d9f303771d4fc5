import type { ReadStream } from 'node:tty';
import { Ending } from './ending.ts';
import { gettext } from './gettext.ts';

interface ButtonOptions {
  input: NodeJS.ReadStream | ReadStream;
  onPress: () => void;
  onEnd: (ending: Ending | null) => void;
}

const ctrlC = '\u0003';

/** Watches the space bar and Enter; or lines on standard input if it is not a terminal. */
export function watchTalkButton({ input, onPress, onEnd }: ButtonOptions): void {
  // Without raw mode, keys would arrive only after Enter.
  if (input.isTTY) input.setRawMode(true);
  input.setEncoding('utf8');
  input.on('data', (keys: string) => {
    for (const key of keys) {
      if (key === ctrlC || key === 'q') return onEnd(null);
      if ((input.isTTY && (key === ' ' || key === '\r')) || key === '\n') onPress();
    }
  });
  input.on('end', () => {
    onEnd(
      new Ending(
        gettext(
          'Push-to-talk needs a keyboard, or a program that writes a line for each press of its button.',
        ),
      ),
    );
  });
}
