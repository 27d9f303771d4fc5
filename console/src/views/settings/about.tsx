import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { useFew } from '../../parts/few.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { hashOf } from '../../route.ts';
import { listOf } from '../../server/shapes.ts';

type Changes = components['schemas']['Changes'];

const intervalMs = 600_000;
const fewChanges = 6;

/** Shows the version, its changes, and how to update. */
export function About({ house }: { house: House }) {
  const { version, configured } = house.health.state.value.value ?? {};
  const isOpen = useSignal(false);
  return (
    <section class="card stack" aria-labelledby="about">
      <h2 id="about">{`Hearth ${version ?? ''}`}</h2>
      <p class={configured ? undefined : 'unknown'}>
        {configured?.models != null &&
          `${t('It works with the models of size {size}.', { size: configured.models })} `}
        {configured?.home ? t('Home Assistant is connected.') : t('No Home Assistant is connected.')}{' '}
        {tRich('{link} shows every part.', {
          link: <a href={hashOf('settings', 'health')}>{t('Health')}</a>,
        })}
      </p>
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>{t('What is new')}</summary>
        {isOpen.value && <WhatIsNew house={house} />}
      </details>
      <p class="quiet small">
        {tRich(
          'Hearth never asks a server for a newer version. To update, run {command} in the folder of Hearth. It makes a backup first and goes back if the new version does not work.',
          { command: <code>make update</code> },
        )}
      </p>
    </section>
  );
}

function WhatIsNew({ house }: { house: House }) {
  const poll = useResource<Changes>(house, '/admin/changes', intervalMs);
  return (
    <Loaded state={poll.state.value} what={t('what is new')}>
      {({ versions }) =>
        listOf(versions).map(({ version, changes }) => (
          <OneVersion key={version} version={version} changes={changes} />
        ))
      }
    </Loaded>
  );
}

function OneVersion({ version, changes }: Changes['versions'][number]) {
  const { shown, button } = useFew(changes, fewChanges, t('of {version}', { version }));
  return (
    <>
      <h3 class="version">{version}</h3>
      <ul class="changes">
        {shown.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {button}
    </>
  );
}
