import { z } from 'zod';

/** Names and rooms: any characters but control characters and halves of one; empty counts as not given. */
export const nameSchema = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters')
    .nullable()
    .transform((name) => name?.trim() || null);

const eventId = z.string().max(100).optional();

const sessionSchema = z.object({
  client: nameSchema(200).optional(),
  room: nameSchema(100).optional(),
  endpointing: z.enum(['server', 'manual'], 'must be server or manual').optional(),
  end_silence_ms: z.int().min(200).max(3_000).optional(),
});

const schema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.update'), event_id: eventId, session: sessionSchema }),
  z.object({ type: z.literal('input_audio_buffer.commit'), event_id: eventId }),
  z.object({ type: z.literal('input_audio_buffer.clear'), event_id: eventId }),
  z.object({
    type: z.literal('response.cancel'),
    event_id: eventId,
    turn_id: z.string().max(100).optional(),
  }),
  z.object({
    type: z.literal('playback.finished'),
    event_id: eventId,
    turn_id: z.string().max(100),
    played_ms: z.int().min(0).max(3_600_000),
  }),
]);

/** What a satellite may send, as listen-events.schema.json has it. */
export type ClientEvent = z.infer<typeof schema>;
export type SessionUpdate = z.infer<typeof sessionSchema>;
