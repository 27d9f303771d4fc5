import { type Scope, scopes } from '../tokens/device-token.ts';
import type { operations } from './contract-types.ts';

/** The scope a caller needs for a route; `open`: none. */
export type RequiredScope = Scope | 'open';

/** The scope for a route missing from the tables, so that a forgotten route is not open. */
export const unknownRouteScope: Scope = 'administer';

/** The scope each operation of openapi.yaml needs. `npm run docs` writes docs/access.md from this table. */
export const requiredScopes: Readonly<Record<keyof operations, RequiredScope>> = {
  // The code in a pairing link authorizes it.
  pair: 'open',
  // For satellites without a token. The routes themselves check who may ask.
  askToJoin: 'open',
  getJoining: 'open',
  getJoiningSpeech: 'open',
  getHealth: 'open',

  // Only for machines that the household has invited.
  lend: 'lend',

  ask: 'talk',
  voice: 'talk',
  announce: 'talk',
  listen: 'talk',
  getSatelliteWords: 'talk',
  getWakeWords: 'talk',
  listModels: 'talk',
  getModel: 'talk',
  createChatCompletion: 'talk',
  createResponse: 'talk',
  realtime: 'talk',
  createTranscription: 'talk',
  createTranslation: 'talk',
  createSpeech: 'talk',
  listVoices: 'talk',
  getContract: 'talk',
  listSentences: 'talk',
  findUndoable: 'talk',
  // Only timers that the token itself has set.
  listTimers: 'talk',
  setTimer: 'talk',
  changeTimer: 'talk',
  cancelTimer: 'talk',
  restoreTimer: 'talk',

  getPipeline: 'look',
  getPipelineHistory: 'look',
  getPipelineOptions: 'look',
  listModelChoices: 'look',
  // Changes nothing.
  speakSample: 'look',
  listConversations: 'look',
  getConversation: 'look',
  findExchanges: 'look',
  listMistakes: 'look',
  listOwnSentences: 'look',
  getShippedSentences: 'look',
  listWakeWordFiles: 'look',
  listSatellites: 'look',
  getMicrophone: 'look',
  getLists: 'look',
  getLogs: 'look',
  getTurns: 'look',
  getTurn: 'look',
  getMetrics: 'look',
  getRestart: 'look',
  getServers: 'look',
  getServer: 'look',
  listMachines: 'look',
  getServerPage: 'look',
  // Only counts the tokens of a text.
  postServerPage: 'look',
  getChecks: 'look',
  listTokens: 'look',
  listJoinings: 'look',
  listPauses: 'look',

  changePipeline: 'administer',
  judgeName: 'administer',
  forgetConversations: 'administer',
  forgetConversation: 'administer',
  reportMistake: 'administer',
  removeMistakes: 'administer',
  saveOwnSentences: 'administer',
  removeOwnSentences: 'administer',
  addWakeWord: 'administer',
  removeWakeWord: 'administer',
  putOnList: 'administer',
  renameList: 'administer',
  removeList: 'administer',
  restart: 'administer',
  changeMachine: 'administer',
  wakeMachine: 'administer',
  loadServer: 'administer',
  unloadServer: 'administer',
  runCheck: 'administer',
  makeToken: 'administer',
  beginPairing: 'administer',
  getNetwork: 'look',
  changeNetwork: 'administer',
  confirmNetwork: 'administer',
  getHomeAssistant: 'look',
  listThings: 'look',
  listChanges: 'look',
  downloadBackup: 'administer',
  restoreBackup: 'administer',
  orderModel: 'administer',
  stopModelOrder: 'administer',
  findVoices: 'administer',
  findHomeAssistants: 'administer',
  connectHomeAssistant: 'administer',
  disconnectHomeAssistant: 'administer',
  listVoiceDevices: 'look',
  findVoiceDevices: 'administer',
  adoptVoiceDevice: 'administer',
  changeVoiceDevice: 'administer',
  removeVoiceDevice: 'administer',
  revokeToken: 'administer',
  admitJoining: 'administer',
  refuseJoining: 'administer',
  forgetPauses: 'administer',
  changeSatellite: 'administer',
  removeSatellite: 'administer',
  soundSatellite: 'administer',
};

/** The page and its files, which ask for the token. */
export const pageScope: RequiredScope = 'open';

/**
 * The scope for operations that share a route: the highest of them. An operation missing from the table needs
 * the highest of all.
 */
export function needOf(...ids: readonly string[]): RequiredScope {
  const needs = ids.map((id) => Object.entries(requiredScopes).find(([each]) => each === id)?.[1]);
  return needs.map((need) => need ?? unknownRouteScope).reduce(greater, 'open');
}

function greater(one: RequiredScope, other: RequiredScope): RequiredScope {
  const order: readonly RequiredScope[] = ['open', ...scopes];
  return order.indexOf(one) < order.indexOf(other) ? other : one;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope a caller needs for this route. */
    need?: RequiredScope;
    /** The operation of openapi.yaml. */
    operation?: string;
  }
}
