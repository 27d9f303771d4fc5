interface Asked extends Omit<RequestInit, 'headers'> {
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Asks Hearth over HTTP. The connection ends with the answer: a satellite asks too rarely to keep one open.
 */
export function ask(address: URL, { token, headers, ...request }: Asked): Promise<Response> {
  const access = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(address, { ...request, headers: { ...headers, ...access, connection: 'close' } });
}
