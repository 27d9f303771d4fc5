import { z } from 'zod';
import { type HomeCalls, parseHome } from './home-calls.ts';

/** The abilities of a player: the bits of its `supported_features`. */
export const playerFeatures = { playMedia: 512, search: 4_194_304 } as const;

const foundSchema = z.object({
  title: z.string(),
  media_class: z.string().catch(''),
  media_content_type: z.string(),
  media_content_id: z.string(),
  can_play: z.boolean().catch(false),
});

/** Media that a player has found and could play. */
export type FoundMedia = z.infer<typeof foundSchema>;

const searchSchema = z.object({
  service_response: z.record(z.string(), z.object({ result: z.array(z.json()).catch([]) })),
});

/** The player's online service may answer slowly; these limits bound the wait for a song. */
const limits = { searchMs: 8_000, playMs: 10_000 };

/** Makes players search and play. Every function throws HomeError. */
export function createHomePlayers({ post }: Pick<HomeCalls, 'post'>) {
  return {
    /**
     * Playable media that a player finds for these words, best first. Without classes it searches all kinds.
     */
    async search(
      id: string,
      { query, classes }: { query: string; classes: readonly string[] },
      signal: AbortSignal,
    ): Promise<FoundMedia[]> {
      const filter = classes.length > 0 ? { media_filter_classes: classes } : {};
      const answer = await post(
        '/api/services/media_player/search_media?return_response',
        { entity_id: id, search_query: query, ...filter },
        { signal, idleMs: limits.searchMs },
      );
      const found = parseHome(searchSchema, answer).service_response[id]?.result ?? [];
      return found.flatMap((each) => {
        const media = foundSchema.safeParse(each);
        return media.success && media.data.can_play ? [media.data] : [];
      });
    },

    /** Plays media that the player found. Playback may start some time later. */
    async playFound(id: string, media: FoundMedia, signal: AbortSignal): Promise<void> {
      const { media_content_id, media_content_type } = media;
      const body = { entity_id: id, media_content_id, media_content_type };
      await post('/api/services/media_player/play_media', body, {
        signal,
        idleMs: limits.playMs,
        isOnce: true,
      });
    },
  };
}
