import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t, tRich } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { entriesPerPress } from '../../parts/few.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { clockTimeWords, dayWords, durationWords, viaWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { sentenceOf } from '../../server/call.ts';
import { Bars } from './turn-list.tsx';
import { ruleDetails, understandingWords } from './understanding.ts';
import type { TurnRecord } from './waterfall.ts';

type Found = components['schemas']['FoundExchanges'];
type Exchange = Found['exchanges'][number];
type Sentences = components['schemas']['Sentences'];

const intervalMs = 5_000;
const slowIntervalMs = 60_000;
/** Number of entries at first, and the maximum. */
const limits = { few: 20, most: 200 } as const;
/** Delay after the last typed letter before the search starts. */
const typedMs = 300;

interface SaidProps {
  house: House;
  /** Null until the server has answered. */
  turns: readonly TurnRecord[] | null;
  /** The turns that people reported as misunderstood. */
  reported: ReadonlySet<string | null>;
  /** Number of deletions in this view. A change reloads the list. */
  forgotten: number;
  onForgotten: () => void;
  onReport: (turn: { conversation: string; turn: string }) => void;
}

/** All questions and answers of the household, newest first. */
export function Said({ house, turns, reported, forgotten, onForgotten, onReport }: SaidProps) {
  const text = useSignal('');
  const count = useSignal<number>(limits.few);
  const limit = count.value === limits.few ? limits.few : limits.most;
  const trouble = useSignal('');
  const query = new URLSearchParams({ limit: String(limit) });
  if (text.value !== '') query.set('text', text.value);
  const poll = useResource<Found>(house, `/admin/exchanges?${query}`, intervalMs);
  const { groups = [] } = useResource<Sentences>(house, '/sentences', slowIntervalMs).state.value.value ?? {};
  const forget = async ({ conversation: name, turn }: Exchange): Promise<void> => {
    const which = new URLSearchParams({ name, turn: turn ?? '' });
    try {
      await house.caller.call(`/admin/conversations?${which}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    onForgotten();
  };
  useEffect(() => {
    if (forgotten > 0) void poll.ask();
  }, [forgotten]);
  return (
    <section class="card stack" aria-labelledby="said">
      <div class="row spread">
        <h2 id="said">{t('What was said')}</h2>
        <Search onText={(words) => (text.value = words)} />
      </div>
      <ErrorText text={trouble} />
      <Loaded
        state={turns === null ? { ...poll.state.value, value: null } : poll.state.value}
        what={t('what was said|report')}
      >
        {({ exchanges = [] }) => (
          <>
            {exchanges.length === 0 && (
              <p class="quiet">
                {text.value === '' ? t('Nothing has been said yet.') : t('Nothing was found.')}
              </p>
            )}
            {byDay(exchanges.slice(0, count.value), house.timeZone.value).map(([day, those]) => (
              <div key={day}>
                <h3>{day}</h3>
                <ul class="said-list">
                  {those.map((each, at) => (
                    <One
                      key={each.turn ?? at}
                      exchange={each}
                      turn={turns?.find(({ id }) => id === each.turn)}
                      timeZone={house.timeZone.value}
                      isReported={reported.has(each.turn)}
                      groups={groups}
                      onReport={onReport}
                      onForget={() => void forget(each)}
                    />
                  ))}
                </ul>
              </div>
            ))}
            {(exchanges.length > count.value || (limit === limits.few && exchanges.length === limit)) && (
              <div>
                <button type="button" onClick={() => (count.value += entriesPerPress)}>
                  {t('Show more')}
                </button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function byDay(exchanges: readonly Exchange[], timeZone: string | undefined) {
  const now = new Date();
  return [...Map.groupBy(exchanges, ({ at }) => dayWords(at, now, timeZone))];
}

function Search({ onText }: { onText: (text: string) => void }) {
  const typed = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => onText(typed.value.trim()), typedMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  return (
    <input
      class="search"
      type="search"
      aria-label={t('Search what was said')}
      placeholder={t('Search')}
      maxLength={200}
      value={typed.value}
      onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
    />
  );
}

interface OneProps {
  exchange: Exchange;
  /** Its turn, as long as the server stores it. */
  turn: TurnRecord | undefined;
  timeZone: string | undefined;
  isReported: boolean;
  groups: Sentences['groups'];
  onReport: SaidProps['onReport'];
  onForget: () => void;
}

function One({ exchange, turn, timeZone, isReported, groups, onReport, onForget }: OneProps) {
  const { user, assistant, at, conversation, turn: id, understood } = exchange;
  const room = understood?.room ?? turn?.room;
  return (
    <li>
      <p class="words asked">{user}</p>
      <p class="words">{assistant}</p>
      <div class="row">
        <span class="quiet small">{clockTimeWords(at, timeZone)}</span>
        {room != null && <span class="tag">{room}</span>}
        <span class="tag words">{conversation}</span>
        {id !== null && (
          <span class="row">
            <ConfirmButton class="plain small" sure={t('Forget it?')} onConfirm={onForget}>
              {t('Forget')}
              <span class="visually-hidden"> {user}</span>
            </ConfirmButton>
            <button
              class="plain small"
              type="button"
              disabled={isReported}
              onClick={() => onReport({ conversation, turn: id })}
            >
              {isReported ? t('Reported as misunderstood') : t('That was wrong')}
              <span class="visually-hidden">: {user}</span>
            </button>
          </span>
        )}
      </div>
      {(turn !== undefined || understood !== null) && (
        <Details exchange={exchange} turn={turn} groups={groups} />
      )}
    </li>
  );
}

function Details({
  exchange: { user, understood },
  turn,
  groups,
}: Pick<OneProps, 'exchange' | 'turn' | 'groups'>) {
  const rule = understood ? ruleDetails(understood) : null;
  const took = turn && (turn.timings['first-audio'] ?? turn.timings['total']);
  const parts = [
    viaWords(understood?.via ?? turn?.via ?? ''),
    took === undefined ? '' : t('after {time}|answer', { time: durationWords(took) }),
  ];
  return (
    <details>
      <summary class="small">
        {t('Why this answer')}
        <span class="visually-hidden"> {t('to {question}|Why this answer', { question: user })}</span>
      </summary>
      <p class="small quiet">{parts.filter((each) => each !== '').join(', ')}</p>
      {understood != null && (
        <p class="small words">{understandingWords(user, understood, groups).join(' ')}</p>
      )}
      {rule !== null && (
        <p class="small quiet words">{tRich('Rule: {rule}', { rule: <code>{rule}</code> })}</p>
      )}
      {turn !== undefined && (
        <>
          <Bars turn={turn} />
          <a class="small" href={hashOf('activity', turn.id)}>
            {t('How it went')}
          </a>
        </>
      )}
    </details>
  );
}
