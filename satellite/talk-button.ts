import type { ReadStream } from 'node:tty';
import { Ending } from './ending.ts';

interface ButtonOptions {
  input: NodeJS.ReadStream | ReadStream;
  onPress: () => void;
  onEnd: (ending: Ending | null) => void;
}

const ctrlC = '\u0003';

/** The space bar or Enter of a keyboard; or a line on the standard input if that is not a terminal. */
export function watchTalkButton({ input, onPress, onEnd }: ButtonOptions): void {
  // Otherwise keys would arrive only after Enter.
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
        'Push-to-talk needs a keyboard, or a program that writes a line for each press of its button.',
      ),
    );
  });
}
