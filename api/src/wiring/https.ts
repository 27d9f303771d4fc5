import type { Server } from 'node:http';
import type { Config } from '../config.ts';
import { createSecureFront, type SecureFront } from '../http/secure-front.ts';
import type { Logger } from '../log.ts';
import { watchCertificate } from '../tls/certificate-watch.ts';
import type { KeyPair } from '../tls/household-ca.ts';
import { createHouseholdCertificate } from '../tls/household-certificate.ts';
import { machineNames, ownNames } from '../tls/machine-names.ts';
import { readOwnCertificate } from '../tls/own-certificate.ts';

/** How soon a new address of the machine gets into the certificate. */
const pollIntervalMs = 60_000;
/** How often to log devices that do not trust the certificate. They retry constantly. */
const tellEveryMs = 60_000;

export type WiredHttps = ReturnType<typeof wireHttps>;

/** https in addition to http. It makes a certificate when it is first used. */
export function wireHttps({ https, host, machineNames: machine }: Config, log: Logger) {
  const { own, folder, names, port } = https;
  const household = createHouseholdCertificate({
    folder,
    names: () => machineNames(machine.length > 0 ? machine : ownNames(), names),
    onLeftOut: createOnce((leftOut) =>
      log.warn(
        { names: leftOut },
        "the household's certificate authority was made before these names were set, so the certificate is not for them",
      ),
    ),
  });
  const current = async (): Promise<KeyPair> =>
    own === null ? household.current() : readOwnCertificate(own);
  const ending = new AbortController();
  const makeFront = async (server: Server): Promise<SecureFront> => {
    const pair = await current();
    const made = createSecureFront({ server, ...pair, onRefused: createRefusalNote(log) });
    void watchCertificate({
      current,
      onNew: (fresh) => {
        made.use(fresh);
        log.info('renewed the https certificate');
      },
      onError: (error) => log.error({ err: error }, 'failed to renew the https certificate'),
      intervalMs: pollIntervalMs,
      signal: ending.signal,
      known: pair.cert,
    });
    return made;
  };
  let made: Promise<SecureFront> | undefined;
  const front = (server: Server): Promise<SecureFront> => {
    made ??= makeFront(server).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };

  return {
    /** Takes connections for a server that they reach by https. Rejects if the certificate is unusable. */
    front,
    /** The CA certificate for devices to install. Null: not needed, or not created yet. */
    caCertificate: () => (own === null ? household.caCertificate() : null),
    /** Resolves with the port. Rejects with the system's error. */
    async listen(server: Server, at = { host, port }): Promise<number> {
      return (await front(server)).listen(at);
    },
    async close(): Promise<void> {
      ending.abort();
      await (await made?.catch(() => undefined))?.close();
    },
  };
}

/** Reports names only when they have changed. */
function createOnce(tell: (names: readonly string[]) => void) {
  let lastNames = '';
  return (names: readonly string[]): void => {
    if (lastNames !== names.join()) tell(names);
    lastNames = names.join();
  };
}

function createRefusalNote(log: Logger) {
  let [count, isTelling] = [0, false];
  return (from: string): void => {
    count += 1;
    if (isTelling) return;
    isTelling = true;
    log.info({ from }, 'a device aborted https: it may not trust the certificate yet (docs/phone.md)');
    setTimeout(() => {
      isTelling = false;
      if (count > 1) log.info({ times: count }, 'aborted https handshakes in the last minute');
      count = 0;
    }, tellEveryMs).unref();
  };
}
