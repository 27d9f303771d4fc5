/**
 * Events in which a page may start playback. In HTML, a mouse counts when it is pressed, but a touch counts
 * when it ends. Safari on iOS resumes playback only in such an event.
 */
export const touches = ['pointerdown', 'pointerup', 'keydown'] as const;

/** The part of an AudioContext that is needed. */
interface Resumable {
  readonly state: string;
  resume(): Promise<void>;
}

/**
 * Resumes a context that has not started yet or was interrupted. A phone call interrupts the sound on iOS,
 * and the browser refuses until it ends: the next touch retries.
 */
export async function resume(context: Resumable): Promise<void> {
  if (context.state === 'running' || context.state === 'closed') return;
  await context.resume().catch((error: unknown) => console.warn('The sound cannot be resumed yet.', error));
}
