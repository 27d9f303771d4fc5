/**
 * A comment that keeps a stream of server-sent events alive. One line end alone: an empty line would end an
 * event without data, which some clients read as the end of the stream.
 */
export function keepAliveComment(text: string): string {
  return `: ${text}\n`;
}
