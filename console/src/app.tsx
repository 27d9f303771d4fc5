import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import type { House } from './house.ts';
import { t } from './language/translate.ts';
import { Away } from './parts/away.tsx';
import { Brand } from './parts/brand.tsx';
import { HouseholdZone } from './parts/household-times.ts';
import { Icon } from './parts/icon.tsx';
import { keepFocus } from './parts/kept-focus.ts';
import { useOnDemand } from './parts/on-demand.tsx';
import { Status } from './parts/status.tsx';
import { ringTitle } from './parts/words.ts';
import { hashOf, type Route, type View, views } from './route.ts';
import { RingingBar } from './views/ringing-bar.tsx';
import { TalkView } from './views/talk/talk-view.tsx';
import { TokenGate } from './views/token-gate.tsx';

const titles: Readonly<Record<View, () => string>> = {
  talk: () => t('Talk'),
  home: () => t('Home'),
  activity: () => t('Activity'),
  settings: () => t('Settings'),
};

interface AppProps {
  house: House;
  router: { route: ReadonlySignal<Route> };
}

export function App({ house, router }: AppProps) {
  const { view, detail } = router.route.value;
  const isTalking = view === 'talk' && detail !== 'sentences';
  const isAsked = house.wanted.value !== null;
  const main = useRef<HTMLElement>(null);
  const shown = useRef(view);
  // People open the page to talk, so the other views load after that one.
  const others = useOnDemand(t('This view'), () => import('./views/other-views.tsx'));
  useEffect(() => void (isTalking ? whenIdle(others.load) : others.load()), [isTalking]);
  useEffect(() => house.health.watch(), [house]);
  useEffect(() => keepFocus(document.body), []);
  const title = (isAsked ? null : ringTitle(house.ringing.rings.value)) ?? titles[view]();
  useEffect(() => {
    document.title = `${title} · Hearth`;
  }, [title]);
  useEffect(() => {
    // Announces the opened view to people who use a screen reader.
    if (shown.current !== view) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = view;
  }, [view]);

  return (
    <div class={isTalking && !isAsked ? 'shell filled' : 'shell'}>
      <button class="skip" type="button" onClick={() => main.current?.focus()}>
        {t('Skip to content')}
      </button>
      <header class="top">
        <Brand />
        <Status house={house} />
      </header>
      {!isAsked && <RingingBar house={house} />}
      {!isAsked && <Tabs view={view} isUnkept={house.settings.isUnkept.value} />}
      <main id="main" ref={main} tabIndex={-1} aria-label={isAsked ? t('Sign in') : titles[view]()}>
        {!isAsked && !isTalking && <Away house={house} />}
        {isAsked ? (
          <TokenGate house={house} />
        ) : (
          <HouseholdZone.Provider value={house}>
            <Guarded key={view} house={house} route={router.route.value} others={others} />
          </HouseholdZone.Provider>
        )}
      </main>
    </div>
  );
}

function Tabs({ view, isUnkept }: { view: View; isUnkept: boolean }) {
  return (
    <nav class="tabs" aria-label={t('Views')}>
      {views.map((each) => (
        <a key={each} href={hashOf(each)} aria-current={each === view ? 'page' : undefined}>
          <span class={each === 'settings' && isUnkept ? 'unkept' : undefined}>
            <Icon name={each} />
          </span>
          <span>{titles[each]()}</span>
          {each === 'settings' && isUnkept && <span class="visually-hidden">{t('(unsaved changes)')}</span>}
        </a>
      ))}
    </nav>
  );
}

/** Safari has no idle callbacks. */
const whenIdle = (work: () => Promise<void>) =>
  'requestIdleCallback' in window ? requestIdleCallback(() => void work()) : setTimeout(work, 1_000);

interface ShownProps {
  house: House;
  route: Route;
  others: Pick<
    ReturnType<typeof useOnDemand<typeof import('./views/other-views.tsx')>>,
    'loaded' | 'failure'
  >;
}

/** One view, or an error message if it fails to render. The rest of the page keeps working. */
function Guarded(props: ShownProps) {
  const [error] = useErrorBoundary((thrown) => reportError(thrown));
  if (error === undefined) return <Shown {...props} />;
  return (
    <div class="note ill row spread" role="alert">
      <p>{t('This view cannot show the data from Hearth. Hearth may be newer than this page.')}</p>
      <button type="button" onClick={() => location.reload()}>
        {t('Load the page again')}
      </button>
    </div>
  );
}

function Shown({ house, route, others: { loaded, failure } }: ShownProps) {
  if (route.view === 'talk' && route.detail !== 'sentences') return <TalkView house={house} />;
  if (loaded.value === null) return failure || null;
  const { ActivityView, HomeView, SayableView, SettingsView } = loaded.value;
  switch (route.view) {
    case 'talk':
      return <SayableView house={house} />;
    case 'home':
      return <HomeView house={house} />;
    case 'activity':
      return <ActivityView house={house} detail={route.detail} />;
    case 'settings':
      return <SettingsView house={house} detail={route.detail} />;
  }
}
