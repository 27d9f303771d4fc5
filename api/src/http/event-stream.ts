/**
 * A comment that keeps a stream of server-sent events alive. It ends with a single line end: an empty line
 * would dispatch an event without data, which some clients read as the end of the stream.
 */
export function keepAliveComment(text: string): string {
  return `: ${text}\n`;
}
