import { askedWords } from '../../conversations/exchange.ts';
import type { Question } from '../core/responder.ts';

/** The context lines of a prompt, "(It is Tuesday 1 December 2026, 13:54.)", in the order of their use. */
export function contextLinesOf({ message, turn, exchanges }: Question): string[] {
  const before = exchanges.map((exchange) => beforeWords(exchange.user, askedWords(exchange)));
  return [...new Set([beforeWords(message, turn.text), ...before])].filter((line) => line !== '');
}

function beforeWords(message: string, words: string): string {
  return message.endsWith(words) ? message.slice(0, message.length - words.length).trim() : '';
}

/**
 * Removes a context line from the start of a streamed answer. A small model sometimes begins its answer with
 * a copy of it. An answer that consists only of the line remains: it may tell the time.
 */
export function createContextCopyFilter(lines: readonly string[]) {
  let held = '';
  let isDecided = lines.length === 0;

  return {
    /** Returns text that certainly belongs to the answer. */
    push(delta: string): string {
      if (isDecided) return delta;
      held += delta;
      const start = held.trimStart();
      const copied = lines.find((line) => start.startsWith(line));
      const rest = copied === undefined ? start : start.slice(copied.length).trimStart();
      const isOpen = copied === undefined ? lines.some((line) => line.startsWith(start)) : rest === '';
      if (isOpen) return '';
      isDecided = true;
      held = '';
      return rest;
    },
    /** Returns the rest when the model has finished. */
    end(): string {
      return isDecided ? '' : held;
    },
  };
}
