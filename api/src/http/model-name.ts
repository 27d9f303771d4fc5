/** The only model name. */
export const modelName = 'assistant';
const marked = `${modelName}@`;
/** Maximum length of a room name in the contract. */
const maxCharacters = 100;
const unfit = /[\p{Cc}\p{Cs}]/u;

/**
 * The room in a model name such as `assistant@kitchen`, or null. Programs that send no room, such as Home
 * Assistant's integrations, get one agent per room this way. Any other name means the assistant too.
 */
export function roomOfModel(model: unknown): string | null {
  if (typeof model !== 'string' || !model.startsWith(marked)) return null;
  const room = model.slice(marked.length).trim();
  return room === '' || room.length > maxCharacters || unfit.test(room) ? null : room;
}
