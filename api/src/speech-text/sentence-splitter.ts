import { type Fence, fenceAfter } from './code-fence.ts';
import { createSentenceCutter, type SplittingData } from './sentence-cutter.ts';

const lineBreak = /[\n\u2028\u2029]/;
/** Of a program, only enough of each line is kept to tell its last one. */
const maxOfProgramLine = 8;

export type SentenceSplitter = ReturnType<typeof createSentenceSplitter>;

/**
 * Cuts a text that a language model streams into pieces to speak, each as soon as it certainly is one: its first clause, then sentences and
 * lines. It goes from character to character and knows nothing of deltas, so the same text cut anywhere gives the same pieces. A line that
 * ends without a full stop keeps its line break, which tells it from half a sentence. Programs in the text are left out but for their first
 * line, "```python".
 */
export function createSentenceSplitter(data: SplittingData) {
  const text = createSentenceCutter(data);
  let fence: Fence | null = null;
  let programLine = '';

  const endLine = (): string[] => {
    const before = fence;
    fence = fenceAfter(text.held(), before);
    // The first line of a program stays, for it names the language.
    if (fence?.isCode) return text.endLine('');
    if (fence === before) return text.endLine('\n');
    text.dropLine();
    return [];
  };

  const stepInProgram = (char: string): void => {
    if (lineBreak.test(char)) {
      fence = fenceAfter(programLine, fence);
      programLine = '';
    } else if (programLine.length < maxOfProgramLine) programLine = (programLine + char).trimStart();
  };

  const step = (char: string): string[] => {
    if (!fence?.isCode) return lineBreak.test(char) ? endLine() : text.add(char);
    stepInProgram(char);
    return [];
  };

  return {
    /** The pieces that are certain now. */
    push(added: string): string[] {
      const pieces: string[] = [];
      for (let at = 0; at < added.length; at += 1) pieces.push(...step(added.charAt(at)));
      return pieces;
    },
    /** The last piece, when the text is over. */
    end(): string[] {
      programLine = '';
      if (!isFenceLine(text.held())) return text.takeRest();
      text.dropLine();
      return [];
    },
  };
}

function isFenceLine(line: string): boolean {
  return /^(?:```|~~~)[\w+#-]*$/.test(line.trimEnd());
}
