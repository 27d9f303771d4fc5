/** A wake word model that this detector does not understand or does not accept; the message says why, for the person who put it there. */
export class UnreadableModel extends Error {
  override readonly name = 'UnreadableModel';
}
