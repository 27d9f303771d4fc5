interface BoundedFetchOptions {
  /** Longest body of one answer, a stream included. */
  maxBytes: number;
}

/** The network for libraries that bring their own protocol: fetch, with answers that end where nobody would read on. */
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
