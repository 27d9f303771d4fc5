import type { ServerEvent } from '../listen/events/listen-events.ts';
import type { Session } from '../listen/session.ts';
import type { VoiceLink } from './voice-link.ts';

/** Synchronizes the volumes of a device and its satellite in both directions. */
export function createLoudspeakerVolume({ link }: { link: Pick<VoiceLink, 'setVolume'> }) {
  let session: Session | null = null;
  let known: number | null = null;
  const update = (speaker: { volume?: number; volume_control?: 'client' }): void =>
    void session?.take({ type: 'speaker.update', speaker }, () => undefined);

  return {
    /** A connecting device keeps its own volume, because someone has set it there. */
    serve(served: Session, percent: number | null): void {
      session = served;
      known = percent;
      update({ volume_control: 'client', ...(percent !== null && { volume: percent }) });
    },
    /** The device reports its volume. */
    seen(percent: number): void {
      if (percent === known) return;
      known = percent;
      update({ volume: percent });
    },
    tell(event: ServerEvent): void {
      if (event.type !== 'speaker.changed' || session === null) return;
      const { volume } = event.speaker;
      if (volume === known) return;
      known = volume;
      link.setVolume(volume);
    },
  };
}
