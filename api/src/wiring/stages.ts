import { engineFault } from '../engines/engine-fault.ts';
import { createLlmSlots } from '../engines/llm-slots.ts';
import { silenceOf } from '../engines/replicas.ts';
import { createAnswerTurn } from '../jobs/answer-turn.ts';
import { createProbeJob } from '../jobs/probe-job.ts';
import { createRespondJob } from '../jobs/respond-job.ts';
import { createRingJob } from '../jobs/ring-job.ts';
import type { Stages } from '../jobs/run-worker.ts';
import { createSpeakJob } from '../jobs/speak-job.ts';
import { createThinkJob, createWarmJob } from '../jobs/think-job.ts';
import { createPartialTranscribeJob, createTranscribeJob } from '../jobs/transcribe-job.ts';
import { createLlmResponder } from '../respond/llm/llm-responder.ts';
import { createContextLine } from '../respond/llm/prompt.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { wireWordsForIt } from './called.ts';
import { wireTranscriber, wireVoice } from './speech.ts';
import type { WorkerCore } from './worker-core.ts';

/** The work of each queue. */
export function wireStages(core: WorkerCore): Stages {
  const { config, redis, settings, language, turns, sounds, conversations, next, timers, sweep } = core;
  const { home, answers, clock } = core;
  const { llm, stt, tts } = core.engines;
  const transcriber = wireTranscriber({ ...core, replicas: stt.replicas, household: answers.household });
  const { voice, pronounce, fallback } = wireVoice({ ...core, replicas: tts.replicas });
  const contextLine = createContextLine(config.timeZone, language.prompt);
  const answerTurn = createAnswerTurn({
    turns,
    conversations,
    next,
    settingsOf: settings.of,
    meant: answers.meant,
    openSplitter: () => createSentenceSplitter(language.speaking),
    speakable: createSpeakable(language.speaking),
    contextLine,
  });
  const llmResponder = createLlmResponder({
    replicas: llm.replicas,
    slots: createLlmSlots({ redis }),
    headOf: answers.headOf,
    words: answers.words,
  });

  return {
    transcribe: createTranscribeJob({ turns, sounds, transcriber, wordsForIt: wireWordsForIt(core), next }),
    respond: createRespondJob({
      answerTurn,
      responders: answers.responders,
      next: llm.replicas.length > 0 ? next : null,
      modelAway: () => engineFault('llm', silenceOf(llm.replicas), llm.status()),
    }),
    think: createThinkJob({ answerTurn, llm: llmResponder }),
    speak: createSpeakJob({ turns, sounds, settingsOf: settings.of, voice }),
    transcribePartial: createPartialTranscribeJob({
      sounds,
      transcriber,
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
      home: home?.client ?? null,
      checkRoutines: answers.checkRoutines,
      command: (engine, wanted, signal) => ({ llm, stt, tts })[engine].command(wanted, signal),
    }),
    warm: createWarmJob({ conversations, settingsOf: settings.of, llm: llmResponder, contextLine, clock }),
    ring: createRingJob({ timers, sweep }),
  };
}
