import { UnreadableModel } from './unreadable-model.ts';

/** A word that a model listens for, as its manifest describes it. */
export interface WakeWordManifest {
  /** What people say. */
  phrase: string;
  /** The name of the model's file, in the same folder. */
  modelFile: string;
  languages: readonly string[];
  /** The mean probability above which the word counts as said. */
  cutoff: number;
  /** Probabilities that the mean is taken of. */
  windowSize: number;
  /** Time from one set of features to the next. */
  stepMs: number;
}

export interface WakeWord extends WakeWordManifest {
  /** How hits name it: the file's name without its ending. */
  id: string;
  model: Uint8Array;
}

const maxPhraseLetters = 60;
const maxWindow = 100;

type Fields = Readonly<Record<string, unknown>>;

/** Reads the `.json` beside a model, version 2 of microWakeWord's format. Fields that it does not know are for others. */
export function readWakeWordManifest(text: string): WakeWordManifest {
  const fields = fieldsOf(parsed(text));
  if (fields['type'] !== 'micro') refuse('its type is not "micro"');
  if (fields['version'] !== 2) refuse(`it is of version ${shown(fields['version'])}, not 2`);
  const micro = fieldsOf(fields['micro']);
  const { wake_word: phrase, model: modelFile, trained_languages: languages } = fields;
  if (typeof phrase !== 'string' || phrase.trim() === '' || phrase.length > maxPhraseLetters) {
    return refuse(`"wake_word" must be a text of at most ${maxPhraseLetters} letters`);
  }
  if (typeof modelFile !== 'string' || !/^[\w][\w. -]{0,99}\.tflite$/.test(modelFile)) {
    return refuse('"model" must be the name of a .tflite file in the same folder');
  }
  const stepMs = numberIn(micro, { field: 'feature_step_size', least: 10, most: 30 });
  const windowSize = numberIn(micro, { field: 'sliding_window_size', least: 1, most: maxWindow });
  if (!Number.isInteger(stepMs) || !Number.isInteger(windowSize))
    refuse('it has a fraction where a whole number belongs');
  return {
    phrase: phrase.trim(),
    modelFile,
    languages: Array.isArray(languages)
      ? languages.filter((each) => typeof each === 'string').slice(0, 100)
      : [],
    cutoff: numberIn(micro, { field: 'probability_cutoff', least: 0.01, most: 0.999 }),
    windowSize,
    stepMs,
  };
}

/** A word from its two files. */
export function readWakeWord(manifest: string, model: Uint8Array): WakeWord {
  const read = readWakeWordManifest(manifest);
  return { ...read, id: read.modelFile.replace(/\.tflite$/, ''), model };
}

function refuse(reason: string): never {
  throw new UnreadableModel(reason);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('it is no JSON');
  }
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : refuse('it does not describe a model of microWakeWord');
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 20);

function numberIn(
  fields: Fields,
  { field, least, most }: { field: string; least: number; most: number },
): number {
  const value = fields[field];
  const isGood = typeof value === 'number' && value >= least && value <= most;
  return isGood ? value : refuse(`"${field}" must be a number from ${least} to ${most}`);
}
