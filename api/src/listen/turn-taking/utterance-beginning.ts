import { clarityOf } from '../../audio/clarity.ts';
import type { Pcm } from '../../audio/pcm.ts';
import type { CallRule } from '../utterance/attention.ts';
import {
  type EdgeOf,
  isShortOverAnswer,
  locatedOf,
  mayBeForOthers,
  newPendingUtterance,
  type PendingUtterance,
} from '../utterance/pending-utterance.ts';
import type { AnsweredPart } from '../utterance/rest-of-sentence.ts';
import { createUtterance } from '../utterance/utterance.ts';
import type { TurnTakingOptions, TurnTakingSettings } from './turn-taking-options.ts';

type BeginningOptions = Pick<
  TurnTakingOptions,
  | 'turnClient'
  | 'preloadConversation'
  | 'judge'
  | 'microphone'
  | 'currentResponse'
  | 'newTurnId'
  | 'send'
  | 'speaker'
  | 'canBeUndone'
  | 'filter'
>;

interface Beginning {
  edge: EdgeOf<'started'>;
  /** Clock time of the edge. */
  edgeAtMs: number;
  /** The previous utterance, if this one continues it. */
  before: PendingUtterance | null;
  /** The previous utterance, if this one may be the rest of its sentence although it was answered. */
  answered: PendingUtterance | null;
  rule: CallRule | undefined;
  settings: TurnTakingSettings;
  onMore: (pending: PendingUtterance) => void;
}

/** Begins an utterance. Unless it needs a name, it interrupts the current response. */
export function beginUtterance(options: BeginningOptions, beginning: Beginning): PendingUtterance {
  const { turnClient, judge, microphone, currentResponse, newTurnId, send, canBeUndone } = options;
  const { edge, edgeAtMs, before, answered, rule, settings, onMore } = beginning;
  const speaker = options.speaker();
  const turnId = newTurnId();
  const utterance = createUtterance({
    ...speaker,
    turnId,
    turnClient,
    before: before?.utterance.transcript ?? null,
    answered: answered && partOf(answered, { canBeUndone, hasAsked: currentResponse.hasAsked() }),
    settings,
    rule,
    judge,
    onMore: () => onMore(pending),
    mayBeRest: ({ isSure }) => isSure || !isShortOverAnswer(pending),
    onRest: () => {
      if (answered) currentResponse.withdraw(answered.utterance.turnId);
    },
  });
  // Read it before the speech interrupts the answer.
  const afterAnswerMs = currentResponse.audibleAgoMs();
  const pending = newPendingUtterance({
    utterance,
    speaker,
    before: before ?? answered,
    edge,
    fillerAfterMs: settings.fillerAfterMs,
    rule,
    // Speech that may not be for the assistant does not interrupt it.
    hasInterrupted: !mayBeForOthers({ rule }) && currentResponse.interrupt(),
    afterAnswerMs,
    answersQuestion: currentResponse.hasAsked(),
    nowMs: edgeAtMs,
  });
  prepareFor(options, pending, settings);
  const audio_start_ms = Math.round(edge.fromMs + microphone.leftOutMs());
  if (!speaker.isManual) send({ type: 'input_audio_buffer.speech_started', turn_id: turnId, audio_start_ms });
  return pending;
}

/** The previous utterance as a part of the sentence. Null: it has no transcript yet. */
function partOf(
  { utterance: { part, speculation }, conversation }: PendingUtterance,
  { canBeUndone, hasAsked }: Pick<BeginningOptions, 'canBeUndone'> & Pick<AnsweredPart, 'hasAsked'>,
): AnsweredPart | null {
  return (
    part && {
      ...part,
      hasAsked,
      canBeUndone: () => canBeUndone({ turnId: speculation?.id ?? '', conversation }).catch(() => false),
    }
  );
}

/** Preloads the conversation into the model for speech that is meant for the assistant. */
export function prepareFor(
  { preloadConversation, filter }: Pick<BeginningOptions, 'preloadConversation' | 'filter'>,
  pending: PendingUtterance,
  { speculates, revision }: TurnTakingSettings,
): void {
  const { conversation, room, language } = pending;
  noteCall({ filter }, pending);
  if (speculates && !mayBeForOthers(pending)) preloadConversation({ conversation, room, language, revision });
}

/**
 * Tells the satellites of other rooms about speech that may call the assistant. `sound` is undefined while
 * the person is still speaking.
 */
export function noteCall(
  { filter }: Pick<BeginningOptions, 'filter'>,
  pending: PendingUtterance,
  sound?: Pcm,
): void {
  const located = locatedOf(pending);
  if (located.call === null || pending.rule?.nameRule === 'unheard') return;
  filter.hears({ ...located, clarity: sound ? clarityOf(sound) : null });
}
