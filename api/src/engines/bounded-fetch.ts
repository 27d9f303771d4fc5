interface BoundedFetchOptions {
  /** Maximum body size of one answer, streams included. */
  maxBytes: number;
}

/** `fetch` for libraries that bring their own protocol. It ends a response body at `maxBytes`. */
export function createBoundedFetch({ maxBytes }: BoundedFetchOptions) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init);
    const { body, status, statusText, headers } = answer;
    if (body === null) return answer;
    let bytes = 0;
    const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new Error('The answer is too long to read.'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(body.pipeThrough(bound), { status, statusText, headers });
  };
}
