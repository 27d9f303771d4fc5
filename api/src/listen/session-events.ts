import { AppError } from '../errors.ts';
import type { ClientEvent, ServerEvent, SessionChanges } from './events/listen-events.ts';
import type { createMicrophoneLevel } from './microphone-level.ts';
import type { createCurrentResponse } from './playback/current-response.ts';
import type { createSessionSpeaker } from './playback/session-speaker.ts';
import type { createRinging } from './ringing/ringing.ts';
import type { createSessionMicrophone } from './session-microphone.ts';
import type { createTurnTaking } from './turn-taking/turn-taking.ts';
import type { createAttention } from './utterance/attention.ts';
import type { createWakeGate } from './wake-gate.ts';

interface EventHandlerOptions {
  onUpdate: (changes: SessionChanges) => void;
  send: (event: ServerEvent) => void;
  attention: Pick<ReturnType<typeof createAttention>, 'played'>;
  wakeGate: Pick<ReturnType<typeof createWakeGate>, 'onDetection'>;
  speaker: Pick<ReturnType<typeof createSessionSpeaker>, 'take'>;
  level: Pick<ReturnType<typeof createMicrophoneLevel>, 'report'>;
  microphone: Pick<ReturnType<typeof createSessionMicrophone>, 'commit' | 'clear'>;
  turnTaking: Pick<ReturnType<typeof createTurnTaking>, 'beginAnew'>;
  ringing: Pick<ReturnType<typeof createRinging>, 'pressed'>;
  currentResponse: Pick<
    ReturnType<typeof createCurrentResponse>,
    'isPending' | 'cancel' | 'playbackFinished'
  >;
}

/** Passes each client event to the part that handles it. `refuse` reports why it was rejected. */
export function createEventHandler(options: EventHandlerOptions) {
  const { onUpdate, send, attention, wakeGate, speaker, level, microphone } = options;
  const { turnTaking, ringing, currentResponse } = options;
  return async (event: ClientEvent, refuse: (error: AppError) => void): Promise<void> => {
    switch (event.type) {
      case 'session.update':
        return onUpdate(event.session);
      case 'wake.heard': {
        const fault = wakeGate.onDetection(event);
        return fault === null ? undefined : refuse(fault);
      }
      case 'speaker.update':
        return speaker.take(event);
      case 'microphone.level':
        return level.report(event.level_db);
      case 'input_audio_buffer.commit':
        return microphone.commit(() =>
          refuse(new AppError('no_audio', 'There was no speech since the last utterance.')),
        );
      case 'input_audio_buffer.clear':
        await microphone.clear(() => send({ type: 'input_audio_buffer.cleared', turn_id: null }));
        return turnTaking.beginAnew();
      case 'response.cancel':
        if (!currentResponse.isPending()) ringing.pressed(event.turn_id);
        return currentResponse.cancel('client_cancelled', event.turn_id);
      case 'playback.finished':
        attention.played(event.turn_id);
        return currentResponse.playbackFinished(event.turn_id, event.played_ms);
    }
  };
}
