/** A wake word model that is unsupported or invalid. The message tells the person who added it why. */
export class UnreadableModel extends Error {
  override readonly name = 'UnreadableModel';
}
