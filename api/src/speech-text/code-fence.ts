const fence = /^\s*(```|~~~)[`~]{0,20}\s*([\w+#-]*)[^`]*$/;
/** A block without a language, or of one of these, holds words. */
const wordLanguages = ['', 'text', 'txt', 'plain', 'plaintext', 'markdown', 'md'];

export interface Fence {
  marker: string;
  /** Whether a program stands behind it. */
  isCode: boolean;
}

/** The block of its own in Markdown, ``` or ~~~, that a text is in after this line; null where it is in none. */
export function fenceAfter(line: string, open: Fence | null): Fence | null {
  const [, marker, language = ''] = fence.exec(line) ?? [];
  if (marker === undefined) return open;
  if (open) return marker === open.marker && language === '' ? null : open;
  return { marker, isCode: !wordLanguages.includes(language.toLowerCase()) };
}
