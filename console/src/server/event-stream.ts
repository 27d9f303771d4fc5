import { EventSourceParserStream } from 'eventsource-parser/stream';

/** Maximum length of an event. */
const maxCharacters = 1_000_000;

/** Yields the server-sent events of a response, with their data parsed as JSON. */
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
