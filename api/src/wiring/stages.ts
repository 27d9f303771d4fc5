import { engineFault } from '../engines/engine-fault.ts';
import { createLlmSlots } from '../engines/llm-slots.ts';
import { silenceOf } from '../engines/replicas.ts';
import type { Question } from '../respond/core/responder.ts';
import { createLlmResponder } from '../respond/model/llm-responder.ts';
import { type ContextLine, createContextLine } from '../respond/model/prompt.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { createOpenTurn, type OpenTurn } from '../stages/answer-turn.ts';
import { createRespondJob } from '../stages/respond-job.ts';
import type { Stages } from '../stages/run-worker.ts';
import { createSpeakJob } from '../stages/speak-job.ts';
import { createThinkJob, createWarmJob } from '../stages/think-job.ts';
import { createThinkSlots } from '../stages/think-slot.ts';
import { createPartialTranscribeJob, createTranscribeJob } from '../stages/transcribe-job.ts';
import { createWorkerCallJob } from '../stages/worker-call-job.ts';
import { createPictureTransport } from '../turn/picture-transport.ts';
import type { Turn } from '../turn/turn.ts';
import { type ByLanguage, byLanguage } from './by-language.ts';
import { tryOtherHome } from './home.ts';
import { wireTranscriber, wireVoice } from './speech.ts';
import { wireIsRemark, wireWordsForIt } from './words-for-it.ts';
import type { WorkerCore } from './worker-core.ts';

/** The job handlers of each queue. */
export function wireStages(core: WorkerCore, workerId: string): Stages {
  const { config, settings, languages, turns, sounds, conversations, next, queues, sweep } = core;
  const { redis, household, clock, log } = core;
  const { llm, stt, tts } = core.engines;
  const transcriber = wireTranscriber({ settings, languages, household, replicas: stt.replicas });
  const voices = wireVoice({ config, log, languages, replicas: tts.replicas });
  const { pronounce, fallback } = voices.of({});
  const contextLines = byLanguage(languages, ({ prompt }) => createContextLine(config.timeZone, prompt));
  const openTurns = wireOpenTurn(core, contextLines);
  const llmResponders = wireLlmResponders(core);
  const llmResponder = {
    ...llmResponders.of({}),
    respond: (question: Question) => llmResponders.of(question.turn).respond(question),
  };
  const openTurn: OpenTurn = (turn, signals) => openTurns.of(turn)(turn, signals);

  const model = {
    llm: llmResponder,
    slots: createThinkSlots({ redis, queue: queues.think, workerId }),
    next,
    away: () => engineFault('llm', silenceOf(llm.replicas), llm.status()),
    onThought: ({ id }: Turn, ms: number) => log.info({ turn: id, stage: 'think', ms }, 'done'),
  };

  const wordsForIt = wireWordsForIt(core);
  return {
    transcribe: createTranscribeJob({
      ...{ turns, sounds, transcriber, wordsForIt, next },
      isRemark: wireIsRemark(core),
    }),
    respond: createRespondJob({
      openTurn,
      responders: async (turn) => {
        await household.begun;
        // Read on every use, because another Home Assistant may be connected meanwhile.
        return household.now(turn).answers.responders;
      },
      model: llm.replicas.length > 0 ? model : null,
    }),
    think: createThinkJob({ openTurn, llm: llmResponder }),
    speak: createSpeakJob({
      turns,
      sounds,
      settingsOf: settings.of,
      voiceOf: (sentence) => voices.of(sentence).voice,
    }),
    transcribePartial: createPartialTranscribeJob({ turns, sounds, transcriber, wordsForIt }),
    call: createWorkerCallJob({
      turns,
      sounds,
      transcriber,
      voiceOf: (manner) => voices.of(manner).voice,
      voices: tts.replicas,
      pronounce,
      fallback,
      ...wireHouseholdCalls(core),
      command: (engine, wanted, signal) => ({ llm, stt, tts })[engine].command(wanted, signal),
    }),
    warm: createWarmJob({
      conversations,
      settingsOf: settings.of,
      llmOf: llmResponders.of,
      contextLine: (spoken) => contextLines.of(spoken)(spoken),
      clock,
    }),
    ring: sweep.onDue,
  };
}

/** Opens a turn for its responders, in each language. */
function wireOpenTurn(core: WorkerCore, contextLines: ByLanguage<ContextLine>) {
  const { languages, turns, conversations, next, settings, household } = core;
  return byLanguage(languages, ({ tag: language, speaking }) => {
    const answers = () => household.now({ language }).answers;
    return createOpenTurn({
      turns,
      conversations,
      next,
      settingsOf: settings.of,
      meant: (turn, exchanges) => answers().meant(turn, exchanges),
      explain: (words, via) => answers().explain(words, via),
      openSplitter: () => createSentenceSplitter(speaking),
      speakable: createSpeakable(speaking),
      contextLine: contextLines.of({ language }),
    });
  });
}

/** The language model, with instructions for each language. */
function wireLlmResponders({ languages, household, words, engines, redis, sounds }: WorkerCore) {
  const shared = {
    replicas: engines.llm.replicas,
    slots: createLlmSlots({ redis }),
    pictures: createPictureTransport(sounds),
  };
  return byLanguage(languages, ({ tag: language }) => {
    const answers = () => household.now({ language }).answers;
    return createLlmResponder({
      ...shared,
      headOf: (facts, now) => answers().headOf(facts, now),
      words: words.of({ language }),
      unsupported: {
        kindOf: (sentence) => answers().unsupported.kindOf(sentence),
        replyTo: (sentence) => answers().unsupported.replyTo(sentence),
      },
    });
  });
}

/** Handlers of the calls about the household. */
function wireHouseholdCalls({ household, turns }: WorkerCore) {
  return {
    home: household.home,
    tryHome: (home, signal) => tryOtherHome(home, { signal }),
    lists: () => household.now().answers.lists,
    undoTurn: async (turnId, signal) => {
      const turn = await turns.read(turnId);
      const { answers } = household.now(turn);
      if (turn) await answers.household.undoTurn({ ...turn, text: turn.text ?? '' }, signal);
    },
    checkSentences: household.checkSentences,
    checkRoutines: async (routines, signal) => {
      const faults = [];
      for (const { answers } of household.all()) {
        const fault = await answers.checkRoutines(routines, signal);
        if (fault === null) return null;
        faults.push(fault);
      }
      return faults[0] ?? null;
    },
  } satisfies Partial<Parameters<typeof createWorkerCallJob>[0]>;
}
