import { signal } from '@preact/signals';
import type { components } from '../../../api/src/http/contract-types.ts';
import { t } from '../language/translate.ts';
import type { Caller } from '../server/call.ts';
import { bodyOf } from '../server/shapes.ts';
import type { FromMicrophone } from '../sound/messages.ts';
import { createMicrophone } from '../sound/microphone.ts';
import { createOneSaying } from '../sound/one-saying.ts';
import { createSoundCard, type SoundCard } from '../sound/sound-card.ts';

type JudgedName = components['schemas']['JudgedName'];

export const times = 5;
/** Maximum number of spellings. Newer ones replace the oldest. */
const maxSpellings = 20;

export interface Lesson {
  /** The transcript of each try. */
  heard: readonly string[];
  judged: JudgedName | null;
}

/** Records a name five times, and tests how well speech recognition understands it. */
export function createNameLesson(caller: Caller) {
  const lesson = signal<Lesson | null>(null);
  const isListening = signal(false);
  let card: SoundCard | undefined;

  const write = async (recording: Blob): Promise<string> => {
    const form = new FormData();
    form.set('file', recording, 'name.wav');
    form.set('model', 'whisper-1');
    const { body } = await caller.call('/v1/audio/transcriptions', { body: form, withinMs: 30_000 });
    return bodyOf<{ text: string }>(body).text ?? '';
  };
  const judge = async (name: string, heard: readonly string[]): Promise<JudgedName | null> => {
    const { body } = await caller.call('/admin/names/judgement', { body: { name, heard } });
    const { judgement, found = 0, spellings = [] } = bodyOf<JudgedName>(body);
    return judgement === undefined ? null : { judgement, found, spellings };
  };

  return {
    lesson,
    isListening,
    /** Throws an error with the reason. */
    async begin(name: string, signal: AbortSignal): Promise<void> {
      card ??= createSoundCard();
      lesson.value = { heard: [], judged: null };
      isListening.value = true;
      try {
        const heard = await listenOften(card, { write, signal, onHeard: (words) => tell(words) });
        lesson.value = { heard, judged: await judge(name, heard) };
      } finally {
        isListening.value = false;
      }
    },
    /** Adds the spellings to the household's settings. */
    async keep(spellings: readonly string[]): Promise<void> {
      const { body } = await caller.call('/admin/pipeline');
      const { values } = bodyOf<components['schemas']['PipelineState']>(body);
      const all = [...new Set([...(values?.name_spellings ?? []), ...spellings])].slice(-maxSpellings);
      await caller.call('/admin/pipeline', { method: 'PATCH', body: { name_spellings: all } });
    },
  };

  function tell(words: string): void {
    lesson.value = { heard: [...(lesson.value?.heard ?? []), words], judged: null };
  }
}

interface Often {
  write: (recording: Blob) => Promise<string>;
  onHeard: (words: string) => void;
  signal: AbortSignal;
}

async function listenOften(card: SoundCard, { write, onHeard, signal }: Often): Promise<string[]> {
  let take: (frame: FromMicrophone) => void = () => undefined;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined); // the caller that waits for it gets the error
  const onLost = () => lost.reject(new Error(t('The microphone was disconnected.')));
  const onFrame = (frame: FromMicrophone) => take(frame);
  const microphone = createMicrophone({ card, onFrame, onGap: () => undefined, onLost });
  const onAbort = () => lost.reject(new Error(t('Recording stopped because you left the page.')));
  signal.addEventListener('abort', onAbort);
  await microphone.open();
  try {
    const heard: string[] = [];
    while (heard.length < times) {
      const said = Promise.withResolvers<Blob>();
      const saying = createOneSaying();
      take = (frame) => {
        const recording = saying.push(frame);
        if (recording === 'nothing')
          said.reject(new Error(t('Hearth heard no voice. Try again, a little louder.')));
        else if (recording) said.resolve(recording);
      };
      const words = await write(await Promise.race([said.promise, lost.promise]));
      heard.push(words);
      onHeard(words);
    }
    return heard;
  } finally {
    signal.removeEventListener('abort', onAbort);
    microphone.close();
  }
}
