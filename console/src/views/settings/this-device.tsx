import type { House } from '../../house.ts';
import { hashOf } from '../../route.ts';

/** The choices kept on this device alone. */
export function ThisDevice({ house }: { house: House }) {
  const { name, room } = house.keeper.device.value;
  return (
    <section class="stack" aria-labelledby="device">
      <h3 id="device">This device</h3>
      <p>
        This device is “{name}”{room === '' ? '' : ` in the room “${room}”`}. You can change its name and room
        in <a href={hashOf('talk')}>Talk</a>.
      </p>
      <p>
        <a href={`?step=1${hashOf('talk')}`}>Go through the first steps again</a>
      </p>
      <p class="quiet small">
        A phone is lost, or a device is gone? Revoke its access key under{' '}
        <a href={hashOf('settings', 'health')}>Health</a>.
      </p>
      {house.hasToken() && (
        <div>
          <button type="button" onClick={house.leave}>
            Forget the access key on this device
          </button>
        </div>
      )}
    </section>
  );
}
