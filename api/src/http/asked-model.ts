/** The one model. */
export const modelName = 'assistant';
const marked = `${modelName}@`;
/** As long as the contract lets a room be. */
const maxCharacters = 100;
const unfit = /[\p{Cc}\p{Cs}]/u;

/**
 * The room in a model's name, `assistant@kitchen`: programs that tell no room, such as Home Assistant's
 * integrations, can have an agent for each room. Null: there is none. Any other name is the assistant too.
 */
export function roomOfModel(model: unknown): string | null {
  if (typeof model !== 'string' || !model.startsWith(marked)) return null;
  const room = model.slice(marked.length).trim();
  return room === '' || room.length > maxCharacters || unfit.test(room) ? null : room;
}
