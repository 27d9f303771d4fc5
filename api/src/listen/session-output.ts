import type { ServerEvent } from './events/listen-events.ts';
import { type CurrentResponseOptions, createCurrentResponse } from './playback/current-response.ts';
import { inLanguage } from './playback/own-voice.ts';
import type { Loudspeaker } from './playback/playback.ts';
import { createSessionSpeaker } from './playback/session-speaker.ts';
import { conversationOf, type createSessionChoice } from './session-choice.ts';
import type { SessionOptions } from './session-options.ts';

interface SessionOutputOptions
  extends Pick<
      SessionOptions,
      | 'id'
      | 'clock'
      | 'newTurnId'
      | 'saying'
      | 'limits'
      | 'voice'
      | 'speakers'
      | 'cutOffs'
      | 'loudspeaker'
      | 'send'
      | 'onUsage'
    >,
    Pick<CurrentResponseOptions, 'onAnswered'> {
  choice: Pick<ReturnType<typeof createSessionChoice>, 'now'>;
  /** Once closed, the satellite gets no events and no sound. */
  isClosed: () => boolean;
  /** Called for the sound that the satellite gets. */
  onPlayed: (samples: Buffer) => void;
  /** Called after each event and each sound. */
  onSent: () => void;
}

/** Everything that one satellite gets: events, and responses on its loudspeaker. */
export function createSessionOutput(options: SessionOutputOptions) {
  const { id, clock, newTurnId, saying, limits, choice, isClosed, onPlayed, onSent } = options;

  const send = (event: ServerEvent): void => {
    if (isClosed()) return;
    options.send(event);
    onSent();
  };
  const loudspeaker: Loudspeaker = {
    ...options.loudspeaker,
    play: (samples) => {
      if (isClosed()) return;
      options.loudspeaker.play(samples);
      onPlayed(samples);
      onSent();
    },
  };
  const language = () => choice.now.language;
  const voice = inLanguage(options.voice, language);
  const place = () => choice.now.room ?? id;
  const speaker = createSessionSpeaker({
    speakers: options.speakers,
    clock,
    send,
    name: () => conversationOf(id, choice.now),
    isReadOnly: options.loudspeaker.isReadOnly,
  });
  const currentResponse = createCurrentResponse({
    clock,
    newTurnId,
    voice,
    saying,
    aheadMs: limits.aheadMs,
    onUsage: options.onUsage,
    send,
    loudspeaker,
    loudness: speaker.loudness,
    place,
    onAudible: options.cutOffs.answered,
    onAnswered: options.onAnswered,
  });

  return { send, speaker, currentResponse, voice, language, place };
}
