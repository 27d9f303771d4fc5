const opening = /<(think|thinking|reasoning)>/;
const longestTag = '</reasoning>'.length;

/**
 * Takes the model's thinking out of its answer as it streams. Engines mostly do this themselves; what slips through must never be spoken,
 * returned or kept. The same text cut into any pieces gives the same answer.
 */
export function createReasoningFilter() {
  let held = '';
  let closing: string | null = null;

  /** Moves past the next tag; null when none is whole yet. Returns what stands before it, if that is part of the answer. */
  const passTag = (): string | null => {
    if (closing !== null) {
      const end = held.indexOf(closing);
      // The thinking is dropped, but for a tag that may have begun.
      held = held.slice(end < 0 ? -(closing.length - 1) : end + closing.length);
      if (end < 0) return null;
      closing = null;
      return '';
    }
    const open = opening.exec(held);
    if (!open) return null;
    const before = held.slice(0, open.index);
    held = held.slice(open.index + open[0].length);
    closing = `</${open[1]}>`;
    return before;
  };

  return {
    /** Text that is certainly part of the answer. */
    push(delta: string): string {
      held += delta;
      let answer = '';
      for (let piece = passTag(); piece !== null; piece = passTag()) answer += piece;
      if (closing !== null) return answer;
      const safe = beforePossibleTag(held);
      answer += held.slice(0, safe);
      held = held.slice(safe);
      return answer;
    },
    /** The rest of the answer when the model has finished. */
    end(): string {
      return closing === null ? held : '';
    },
  };
}

/** Some templates open the thinking in the prompt, so that only its end is seen: the text before such an end is no answer. */
export function withoutOpenedReasoning(answer: string): string {
  return answer.replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/, '').trim();
}

/** A tag may have begun at the last "<": keep what follows it until that is decided. */
function beforePossibleTag(text: string): number {
  const start = text.lastIndexOf('<');
  return start >= 0 && text.length - start < longestTag ? start : text.length;
}
