const fence = /^\s*(```|~~~)[`~]{0,20}\s*([\w+#-]*)[^`]*$/;
/** A fenced block in one of these languages, or without a language, holds prose. */
const wordLanguages = ['', 'text', 'txt', 'plain', 'plaintext', 'markdown', 'md'];

export interface CodeFence {
  marker: string;
  /** Whether the block holds program code. */
  isCode: boolean;
}

/** Returns the Markdown block (``` or ~~~) that is open after this line; null if none is open. */
export function fenceAfter(line: string, open: CodeFence | null): CodeFence | null {
  const [, marker, language = ''] = fence.exec(line) ?? [];
  if (marker === undefined) return open;
  if (open) return marker === open.marker && language === '' ? null : open;
  return { marker, isCode: !wordLanguages.includes(language.toLowerCase()) };
}
