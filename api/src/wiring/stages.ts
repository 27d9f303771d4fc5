import { engineFault } from '../engines/engine-fault.ts';
import { createLlmSlots } from '../engines/llm-slots.ts';
import { silenceOf } from '../engines/replicas.ts';
import { createLlmResponder } from '../respond/model/llm-responder.ts';
import { createContextLine } from '../respond/model/prompt.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { createOpenTurn } from '../stages/answer-turn.ts';
import { createProbeJob } from '../stages/probe-job.ts';
import { createRespondJob } from '../stages/respond-job.ts';
import { createRingJob } from '../stages/ring-job.ts';
import type { Stages } from '../stages/run-worker.ts';
import { createSpeakJob } from '../stages/speak-job.ts';
import { createThinkJob, createWarmJob } from '../stages/think-job.ts';
import { createThinkPlaces } from '../stages/think-place.ts';
import { createPartialTranscribeJob, createTranscribeJob } from '../stages/transcribe-job.ts';
import { createPicturePost } from '../turn/picture-post.ts';
import type { Turn } from '../turn/turn.ts';
import { wireWordsForIt } from './called.ts';
import { tryOtherHome } from './home.ts';
import { wireTranscriber, wireVoice } from './speech.ts';
import type { WorkerCore } from './worker-core.ts';

/** The job handlers of each queue. */
export function wireStages(core: WorkerCore, workerId: string): Stages {
  const { config, redis, settings, language, turns, sounds, conversations, next, queues, timers, sweep } =
    core;
  const { household, clock, log } = core;
  // Read on every use, because another Home Assistant may be connected meanwhile.
  const answers = () => household.now().answers;
  const { llm, stt, tts } = core.engines;
  const transcriber = wireTranscriber({ config, settings, language, household, replicas: stt.replicas });
  const { voice, pronounce, fallback } = wireVoice({ config, log, language, replicas: tts.replicas });
  const contextLine = createContextLine(config.timeZone, language.prompt);
  const openTurn = createOpenTurn({
    turns,
    conversations,
    next,
    settingsOf: settings.of,
    meant: (turn, exchanges) => answers().meant(turn, exchanges),
    explain: (words, via) => answers().explain(words, via),
    openSplitter: () => createSentenceSplitter(language.speaking),
    speakable: createSpeakable(language.speaking),
    contextLine,
  });
  const llmResponder = createLlmResponder({
    replicas: llm.replicas,
    slots: createLlmSlots({ redis }),
    headOf: (facts, now) => answers().headOf(facts, now),
    words: core.words,
    unsupported: {
      kindOf: (asked) => answers().unsupported.kindOf(asked),
      replyTo: (asked) => answers().unsupported.replyTo(asked),
    },
    pictures: createPicturePost(sounds),
  });

  const model = {
    llm: llmResponder,
    places: createThinkPlaces({ redis, queue: queues.think, workerId }),
    next,
    away: () => engineFault('llm', silenceOf(llm.replicas), llm.status()),
    onThought: ({ id }: Turn, ms: number) => log.info({ turn: id, stage: 'think', ms }, 'done'),
  };

  const wordsForIt = wireWordsForIt(core);
  return {
    transcribe: createTranscribeJob({ turns, sounds, transcriber, wordsForIt, next }),
    respond: createRespondJob({
      openTurn,
      responders: async () => {
        await household.begun;
        return answers().responders;
      },
      model: llm.replicas.length > 0 ? model : null,
    }),
    think: createThinkJob({ openTurn, llm: llmResponder }),
    speak: createSpeakJob({ turns, sounds, settingsOf: settings.of, voice }),
    transcribePartial: createPartialTranscribeJob({
      sounds,
      transcriber,
      wordsForIt,
      tell: ({ overheardId, replyTo }, transcript) => turns.tellPartial(replyTo, overheardId, transcript),
    }),
    probe: createProbeJob({
      turns,
      sounds,
      transcriber,
      voice,
      voices: tts.replicas,
      pronounce,
      fallback,
      home: () => household.now().home?.client ?? null,
      tryHome: (home, signal) => tryOtherHome(home, { language: language.tag, signal }),
      lists: () => answers().lists,
      takeBack: async (turnId, signal) => {
        const turn = await turns.read(turnId);
        if (turn) await answers().household.takeBack({ ...turn, text: turn.text ?? '' }, signal);
      },
      checkRoutines: (routines, signal) => answers().checkRoutines(routines, signal),
      command: (engine, wanted, signal) => ({ llm, stt, tts })[engine].command(wanted, signal),
    }),
    warm: createWarmJob({ conversations, settingsOf: settings.of, llm: llmResponder, contextLine, clock }),
    ring: createRingJob({ timers, sweep }),
  };
}
