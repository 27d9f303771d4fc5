import { type Scope, scopes } from '../tokens/device-token.ts';
import type { operations } from './contract-types.ts';

/** What a caller needs for a route; `open`: nothing. */
export type Need = Scope | 'open';

/** A route that stands in no table needs this: it is nobody's by mistake. */
export const needOfUnknown: Scope = 'administer';

/** What each operation of openapi.yaml needs. `npm run docs` writes docs/access.md from here. */
export const operationNeeds: Readonly<Record<keyof operations, Need>> = {
  // The code of a link opens it.
  pair: 'open',
  // A satellite that has no token yet. Who may ask is looked at there.
  askToJoin: 'open',
  getJoining: 'open',
  getJoiningSpeech: 'open',
  getHealth: 'open',

  ask: 'talk',
  voice: 'talk',
  announce: 'talk',
  listen: 'talk',
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
  // Only those that the token itself has set.
  listTimers: 'talk',
  setTimer: 'talk',
  changeTimer: 'talk',
  cancelTimer: 'talk',

  getPipeline: 'look',
  getPipelineHistory: 'look',
  getPipelineOptions: 'look',
  listModelChoices: 'look',
  // Changes nothing.
  speakSample: 'look',
  listConversations: 'look',
  getConversation: 'look',
  findExchanges: 'look',
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
  getServerPage: 'look',
  // Only counts tokens of a text.
  postServerPage: 'look',
  getChecks: 'look',
  listTokens: 'look',
  listJoinings: 'look',
  listPauses: 'look',

  changePipeline: 'administer',
  judgeName: 'administer',
  forgetConversations: 'administer',
  forgetConversation: 'administer',
  putOnList: 'administer',
  renameList: 'administer',
  removeList: 'administer',
  restart: 'administer',
  loadServer: 'administer',
  unloadServer: 'administer',
  runCheck: 'administer',
  makeToken: 'administer',
  beginPairing: 'administer',
  getHomeAssistant: 'look',
  listThings: 'look',
  listChanges: 'look',
  downloadBackup: 'administer',
  restoreBackup: 'administer',
  orderModel: 'administer',
  stopModelOrder: 'administer',
  findVoices: 'administer',
  connectHomeAssistant: 'administer',
  disconnectHomeAssistant: 'administer',
  listVoiceDevices: 'look',
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
export const pageNeed: Need = 'open';

/**
 * What operations need that share a route: the most that one of them does. One that stands in no table needs
 * the most of all.
 */
export function needOf(...ids: readonly string[]): Need {
  const needs = ids.map((id) => Object.entries(operationNeeds).find(([each]) => each === id)?.[1]);
  return needs.map((need) => need ?? needOfUnknown).reduce(greater, 'open');
}

function greater(one: Need, other: Need): Need {
  const order: readonly Need[] = ['open', ...scopes];
  return order.indexOf(one) < order.indexOf(other) ? other : one;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller needs for this route. */
    need?: Need;
    /** The operation of openapi.yaml. */
    operation?: string;
  }
}
