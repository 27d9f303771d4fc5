import { UnreadableModel } from './unreadable-model.ts';

/** A wake word as described by its manifest. */
interface WakeWordManifest {
  /** The spoken phrase. */
  phrase: string;
  /** Name of the model file in the same folder. */
  modelFile: string;
  languages: readonly string[];
  /** Threshold of the mean probability. */
  cutoff: number;
  /** Number of probabilities in the mean. */
  windowSize: number;
  /** Time between two feature frames. */
  stepMs: number;
}

export interface WakeWord extends WakeWordManifest {
  /** Id in hits: the file name without its extension. */
  id: string;
  model: Uint8Array;
}

const maxPhraseLetters = 60;
const maxWindow = 100;

type Fields = Readonly<Record<string, unknown>>;

/** Parses the manifest of a model, version 2 of microWakeWord's format. Ignores unknown fields. */
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
  const stepMs = numberIn(micro, { field: 'feature_step_size', min: 10, max: 30 });
  const windowSize = numberIn(micro, { field: 'sliding_window_size', min: 1, max: maxWindow });
  if (!Number.isInteger(stepMs) || !Number.isInteger(windowSize))
    refuse('it has a fraction instead of a whole number');
  return {
    phrase: phrase.trim(),
    modelFile,
    languages: Array.isArray(languages)
      ? languages.filter((each) => typeof each === 'string').slice(0, 100)
      : [],
    cutoff: numberIn(micro, { field: 'probability_cutoff', min: 0.01, max: 0.999 }),
    windowSize,
    stepMs,
  };
}

function refuse(reason: string): never {
  throw new UnreadableModel(reason);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('it is not JSON');
  }
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : refuse('it does not describe a model of microWakeWord');
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => String(JSON.stringify(value)).slice(0, 20);

function numberIn(fields: Fields, { field, min, max }: { field: string; min: number; max: number }): number {
  const value = fields[field];
  const isGood = typeof value === 'number' && value >= min && value <= max;
  return isGood ? value : refuse(`"${field}" must be a number from ${min} to ${max}`);
}
