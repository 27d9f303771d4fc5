export interface ServerSentEvent {
  event: string;
  data: string;
  id: string | null;
}

/** An event longer than this is none of ours. */
const mostCharacters = 1_000_000;

/** Text as it streams in → whole server-sent events. Comments, which keep the connection alive, are passed over. */
export function createEventParser(onEvent: (event: ServerSentEvent) => void) {
  let rest = '';
  let current: { event: string; data: string[]; id: string | null } = { event: '', data: [], id: null };

  const take = (line: string): void => {
    if (line === '') {
      if (current.data.length > 0) {
        onEvent({ event: current.event || 'message', data: current.data.join('\n'), id: current.id });
      }
      current = { event: '', data: [], id: current.id };
      return;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') current.event = value;
    if (name === 'data') current.data.push(value);
    if (name === 'id') current.id = value;
  };

  return {
    push(text: string): void {
      rest += text;
      // A carriage return at the end may be half of a line break.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = (lines.pop() ?? '').slice(0, mostCharacters);
      for (const line of lines) take(line);
    },
  };
}

/** Reads a response to its end, event by event; the data as JSON. */
export async function readEvents(
  response: Response,
  onEvent: (name: string, data: unknown) => void,
): Promise<void> {
  const parser = createEventParser(({ event, data }) => onEvent(event, parse(data)));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    parser.push(part.value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
