import { setTimeout as delay } from 'node:timers/promises';
import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeFact } from '../../engines/home-facts-reader.ts';
import type { FoundMedia } from '../../engines/home-players.ts';

/** A stream starts within seconds; the reply must not wait longer. */
const playLimits = { startMs: 8_000, pollIntervalMs: 250 };

interface PlayOptions {
  client: Pick<HomeClient, 'players' | 'playFound'>;
  limits?: typeof playLimits;
}

/** The title and artist that a player reports. */
export interface PlayedMedia {
  title: string;
  artist: string | null;
}

/** Starts playback and polls until it plays. Null: no playback was seen. */
export function createPlayAndSee({ client, limits = playLimits }: PlayOptions) {
  return async (before: HomeFact, media: FoundMedia, signal: AbortSignal): Promise<PlayedMedia | null> => {
    const id = before.entity_id;
    const look = async () => (await client.players(signal)).find(({ entity_id }) => entity_id === id);
    await client.playFound(id, media, signal);
    for (const until = performance.now() + limits.startMs; performance.now() < until; ) {
      const now = await look();
      if (now && playsAnew(before, now, media)) return playingOf(before, now, media);
      await delay(limits.pollIntervalMs, undefined, { signal });
    }
    return null;
  };
}

/** It plays the requested media, or at least something new. A player without a title is trusted. */
function playsAnew(before: HomeFact, now: HomeFact, media: FoundMedia): boolean {
  if (now.state !== 'playing') return false;
  const [was, is] = [before.attributes, now.attributes];
  if (!is.media_content_id && !is.media_title) return before.state !== 'playing';
  return (
    is.media_content_id === media.media_content_id ||
    is.media_content_id !== was.media_content_id ||
    is.media_title !== was.media_title
  );
}

/** An unchanged title still belongs to the earlier media. */
function playingOf(before: HomeFact, now: HomeFact, media: FoundMedia): PlayedMedia {
  const { media_title: title, media_artist: artist } = now.attributes;
  if (!title || title === before.attributes.media_title) return { title: media.title, artist: null };
  return { title, artist: artist ?? null };
}
