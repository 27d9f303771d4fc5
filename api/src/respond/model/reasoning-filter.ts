const opening = /<(think|thinking|reasoning)>/;
const longestTag = '</reasoning>'.length;

/**
 * Removes the model's reasoning from a streamed answer. Engines mostly do this themselves. The rest must
 * never be spoken, returned or stored. The chunk boundaries do not affect the result.
 */
export function createReasoningFilter() {
  let held = '';
  let closing: string | null = null;

  /**
   * Moves past the next tag; null if none is complete. Returns the text before it if that belongs to the
   * answer.
   */
  const passTag = (): string | null => {
    if (closing !== null) {
      const end = held.indexOf(closing);
      // Drops the reasoning, except for a tag that may have begun.
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
    /** Returns text that certainly belongs to the answer. */
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
    /** Returns the rest when the model has finished. */
    end(): string {
      return closing === null ? held : '';
    },
  };
}

/**
 * Some templates open the reasoning in the prompt, so only its closing tag appears. Drops the text before it.
 */
export function withoutOpenedReasoning(answer: string): string {
  return answer.replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/, '').trim();
}

/** A tag may have begun at the last "<": holds back the rest until that is decided. */
function beforePossibleTag(text: string): number {
  const start = text.lastIndexOf('<');
  return start >= 0 && text.length - start < longestTag ? start : text.length;
}
