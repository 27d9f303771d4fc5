import { type CodeFence, fenceAfter } from './code-fence.ts';
import { createSentenceCutter, type SplittingData } from './sentence-cutter.ts';

const lineBreak = /[\n\u2028\u2029]/;
/** Of each code line, only enough is kept to recognize the closing fence. */
const maxOfProgramLine = 8;

export type SentenceSplitter = ReturnType<typeof createSentenceSplitter>;

/**
 * Cuts a streamed language-model text into pieces to speak, each as soon as it is certain. The first piece is
 * a clause; sentences and lines follow. It works per character and ignores deltas, so any chunking gives the
 * same pieces. A line without a full stop keeps its line break, which distinguishes it from half a sentence.
 * Code is dropped except for its first line, "```python".
 */
export function createSentenceSplitter(data: SplittingData) {
  const text = createSentenceCutter(data);
  let fence: CodeFence | null = null;
  let programLine = '';

  const endLine = (): string[] => {
    const before = fence;
    fence = fenceAfter(text.held(), before);
    // Keeps the first line of a code block, because it names the language.
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
    /** Adds text and returns the pieces that are now certain. */
    push(added: string): string[] {
      const pieces: string[] = [];
      for (let at = 0; at < added.length; at += 1) pieces.push(...step(added.charAt(at)));
      return pieces;
    },
    /** Returns the last piece after the text has ended. */
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
