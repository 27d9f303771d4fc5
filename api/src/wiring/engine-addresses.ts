import type { Config, EngineConfig } from '../config.ts';
import type { EngineName } from '../status/engine-status.ts';

/** Where an engine is; nowhere when it is off. */
export function urlsOf(engine: EngineConfig): readonly string[] {
  return 'urls' in engine ? engine.urls : [];
}

/** The Unix socket on which it listens, if it does. */
export function socketOf(engine: EngineConfig): string | undefined {
  return 'urls' in engine ? engine.socket : undefined;
}

/** Why an engine is off, by its name. */
export function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}
