import {
  createLanguageModels,
  type LanguageModels,
  newLanguage,
  newTimeZone,
} from '../check/language-models.ts';
import type { RoomWatch } from '../check/room-watch.ts';
import type { Contract } from '../http/contract.ts';
import { healthRoutes } from '../http/health-routes.ts';
import { voiceOf } from '../language/language-tag.ts';
import type { ApiCore } from './api-core.ts';
import { reasonsOff } from './engine-addresses.ts';
import { offeredLanguages } from './installation.ts';

/** Routes for the health of the process and its dependencies, and for the contract. */
export function wireHealth(core: ApiCore, contract: Contract, room: RoomWatch) {
  const { config, version, settings, files, crashes, workers, redisIsReady, writes, turnClient } = core;
  const languageModels = wireLanguageModels(core);
  const offered = offeredLanguages(config);
  return healthRoutes({
    contract,
    version,
    configured: () => ({
      token: config.serviceToken !== undefined,
      time_zone: config.timeZone,
      home: core.hasHome(),
      log_words: settings.current().log_words,
    }),
    off: reasonsOff(config),
    files,
    crashes,
    workers,
    redisIsReady,
    refusal: () => writes.refusal,
    away: writes.away,
    warnings: () => [
      ...room.warnings(),
      ...newLanguage(core.language.tag, settings.current().language, offered),
      ...newTimeZone(config.timeZone, settings.current().time_zone),
      ...languageModels.gaps(),
    ],
    openTurns: () => turnClient.open,
  });
}

/** The models and voices, by the languages of the household. */
export function wireLanguageModels({ languages, settings, files, workers }: ApiCore): LanguageModels {
  return createLanguageModels({
    tags: languages.map(({ tag }) => tag),
    engine: workers.engine,
    files: () => files.current,
    hasVoice: (tag, { model, options = [] }) =>
      voiceOf(tag, {
        chosen: settings.current().voice,
        own: model === null ? [] : [model],
        offered: options,
        isOnlyLanguage: languages.length === 1,
      }) !== undefined,
  });
}
