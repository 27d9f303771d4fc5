/**
 * A comment that keeps a stream of server-sent events alive. It ends with a single line end. An empty line
 * would dispatch an event without data, which some clients take for the end.
 */
export function keepAliveComment(text: string): string {
  return `: ${text}\n`;
}
