import type { NetConnectOpts } from 'node:net';

const lendableEngines = ['llm', 'stt'] as const;

interface LentServer {
  at: NetConnectOpts;
  /** The model to request, if the server has several. */
  model: string | undefined;
}

/**
 * The servers that this machine lends, from its settings. They are its own engines with their sockets, or
 * servers that run here already. Throws on an address that cannot be lent.
 */
export function lentServersOf(env: NodeJS.ProcessEnv): Map<string, LentServer> {
  const servers = new Map<string, LentServer>();
  for (const engine of lendableEngines) {
    const name = engine.toUpperCase();
    const [socket, url] = [env[`${name}_SOCKET`], env[`${name}_URL`]];
    if (socket) servers.set(engine, { at: { path: socket }, model: undefined });
    else if (url && url !== 'off')
      servers.set(engine, { at: portOf(`${name}_URL`, url), model: env[`${name}_MODEL`] || undefined });
  }
  return servers;
}

/** Only bytes are passed on, so there may be no path, and no TLS with a name of its own. */
function portOf(name: string, address: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = URL.parse(address) ?? {};
  if (protocol !== 'http:' || !hostname || pathname !== '/')
    throw new Error(
      `To lend a server, ${name} must be an address like http://127.0.0.1:11434, but is "${address}".`,
    );
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}
