import type { Config, EngineConfig } from '../config.ts';
import type { EngineName } from '../status/engine-status.ts';

/** The addresses of an engine. Empty if it is off. */
export function urlsOf(engine: EngineConfig): readonly string[] {
  return 'urls' in engine ? engine.urls : [];
}

/** The Unix socket of an engine, if any. */
export function socketOf(engine: EngineConfig): string | undefined {
  return 'urls' in engine ? engine.socket : undefined;
}

/** Why engines are off, by name. */
export function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}
