import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { NetworkChoice } from '../settings/network-store.ts';
import { plainAddress } from './caller-address.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';
import { wasForwarded } from './forwarded.ts';
import { isLoopback } from './own-machine.ts';

type Network = components['schemas']['Network'];

interface NetworkRoutesOptions {
  /** The setting that decides which addresses Hearth listens on. */
  setBy: Network['set_by'];
  /** Saves a choice. Resolves when this process uses it. */
  keep: (choice: NetworkChoice) => Promise<void>;
  /** The choice in effect. */
  choice: () => NetworkChoice;
  /** Starts to listen on the home addresses. Rejects with AppError if that fails. */
  open: () => Promise<void>;
  /** The address for other devices. Null: they cannot connect. */
  address: () => string | null;
  /** The clock of the choice, in ms. */
  steady: () => number;
  log: Logger;
}

/** Time in which a change that may lock its author out must be confirmed. */
const confirmWithinMs = 5 * 60_000;

const whyNot: Readonly<Record<Exclude<Network['set_by'], 'page'>, string>> = {
  settings: 'HOST in .env decides which addresses Hearth listens on. Change it there, and restart.',
  containers: 'Docker opens the port. To open Hearth to your home network, run "make phone" in its folder.',
};

/** Opens Hearth to the home network, and closes it. The machine itself always keeps its access. */
export function adminNetworkRoutes(
  options: NetworkRoutesOptions,
): Pick<Handlers, 'getNetwork' | 'changeNetwork' | 'confirmNetwork'> {
  const { setBy, keep, choice, open, address, steady, log } = options;
  const shown = (): Network => {
    const { isOpen, revertsAtMs } = choice();
    return {
      is_open: setBy === 'page' ? isOpen : address() !== null,
      set_by: setBy,
      url: address(),
      reverts_at: revertsAtMs === null ? null : new Date(Date.now() + revertsAtMs - steady()).toISOString(),
    };
  };

  return {
    getNetwork: shown,

    async changeNetwork({ body: { is_open: isOpen }, request }) {
      if (setBy !== 'page') throw new AppError('not_possible', whyNot[setBy]);
      if (isOpen) await open();
      const isFromHere =
        isLoopback(plainAddress(request.socket.remoteAddress ?? '')) && !wasForwarded(request);
      const revertsAtMs = isOpen || isFromHere ? null : steady() + confirmWithinMs;
      log.info({ token_name: request.caller.tokenName, isOpen, revertsAtMs }, 'home network access changed');
      await keep({ isOpen, revertsAtMs });
      return shown();
    },

    async confirmNetwork() {
      await keep({ isOpen: choice().isOpen, revertsAtMs: null });
      return shown();
    },
  };
}
