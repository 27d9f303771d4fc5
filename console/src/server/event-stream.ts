import { EventSourceParserStream } from 'eventsource-parser/stream';

/** No event of ours is longer than this. */
const maxCharacters = 1_000_000;

/** Reads a response to its end, server-sent event by event; the data as JSON. */
export async function readEvents(
  response: Response,
  onEvent: (name: string, data: unknown) => void,
): Promise<void> {
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ maxBufferSize: maxCharacters }))
    .getReader();
  for (let next = await events?.read(); next && !next.done; next = await events?.read()) {
    onEvent(next.value.event ?? 'message', parse(next.value.data));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
