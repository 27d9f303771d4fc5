/**
 * Events in which a browser lets a page begin to play. HTML counts the press of a mouse, and of a finger only its end; Safari on iOS resumes in
 * nothing else.
 */
export const touches = ['pointerdown', 'pointerup', 'keydown'] as const;

/** The part of an AudioContext that is needed. */
interface Resumable {
  readonly state: string;
  resume(): Promise<void>;
}

/**
 * Lets a context play that has not begun yet or was interrupted. A phone call interrupts the sound on iOS, and while it lasts the browser refuses:
 * the next touch tries again.
 */
export async function resume(context: Resumable): Promise<void> {
  if (context.state === 'running' || context.state === 'closed') return;
  await context.resume().catch((error: unknown) => console.warn('The sound cannot be resumed yet.', error));
}
