import type { Clock } from '../../clock.ts';
import type { TurnClient } from '../../turn-client/turn-client.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { UtteranceOrigin } from '../utterance/pending-utterance.ts';
import { startSpeculativeTurn } from '../utterance/speculative-turn.ts';
import type { TurnTakingSettings } from './turn-taking-options.ts';

interface WrittenQuestionOptions {
  clock: Clock;
  turnClient: Pick<TurnClient, 'startTurn'>;
  newTurnId: () => string;
  currentResponse: CurrentResponse;
  settings: () => TurnTakingSettings;
  speaker: () => UtteranceOrigin;
  isSomeoneSpeaking: () => boolean;
}

/** Asks a written question. The spoken answer replaces the current one. */
export function createWrittenQuestion(options: WrittenQuestionOptions) {
  const { clock, turnClient, newTurnId, currentResponse, settings, speaker, isSomeoneSpeaking } = options;
  return ({ text, pictures: urls = [] }: { text: string; pictures?: readonly string[] }): void => {
    const { conversation, room, language } = speaker();
    const { revision, fillerAfterMs } = settings();
    // Cut the current answer first, so that the new turn reads only its played words.
    currentResponse.cancel('turn_detected');
    const id = newTurnId();
    const turn = startSpeculativeTurn({
      turnClient,
      newTurn: {
        id,
        question: { text },
        conversation,
        room,
        language,
        revision,
        ...(urls.length > 0 && { pictures: { urls, when: 'now' } }),
      },
      // The words are already known, and the response reports failures.
      onTranscript: () => undefined,
      onFailure: () => undefined,
    });
    currentResponse.begin({
      turnId: id,
      speechEndMs: clock.nowMs(),
      endSilenceMs: 0,
      fillerAfterMs,
      onCut: turn.drop,
      onPlayed: turn.played,
    });
    turn.confirm();
    const sink = currentResponse.sinkOf(id);
    if (sink) turn.handTo(sink);
    // Do not talk over someone.
    if (isSomeoneSpeaking()) currentResponse.interrupt();
  };
}
