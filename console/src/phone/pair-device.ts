import { signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { createDeviceKeeper } from '../live/device.ts';
import { createCaller } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import { createTokenKeeper } from '../server/token.ts';
import { deviceName } from './system.ts';

/**
 * Exchanges the code of a link for a separate token, and stores it. The device takes the token's name, and
 * skips the first steps, which set up the household. Throws with the reason.
 */
export async function pairDevice(code: string): Promise<void> {
  // Send no older token of this device, because the server would check it before the code.
  const caller = createCaller({ token: signal(null), onUnauthorized: () => undefined });
  const name = deviceName(navigator.userAgent, navigator.maxTouchPoints);
  const { body } = await caller.call('/pair', { body: { code, name } });
  const { token, name: given = name } = bodyOf<components['schemas']['MadeToken']>(body);
  if (token === undefined) throw new Error('no access key in the answer');
  const keeper = createTokenKeeper({ tab: sessionStorage, device: localStorage });
  keeper.keep(token, { isRemembered: true });
  const { device, change } = createDeviceKeeper(localStorage);
  if (!device.value.isChosen) change({ name: given, isChosen: true });
}
