import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ServerEvent } from '../../api/src/listen/events/listen-events.ts';
import { openMicrophone } from '../../tests/support/audio/microphone.ts';
import { spokenClip } from '../../tests/support/audio/spoken-clips.ts';
import { readServerEvent } from '../../tests/support/clients/listen-events.ts';

/** Totals over all satellites. */
interface RoomsSeen {
  spoken: number;
  answered: number;
  failed: number;
  /** Failed responses without any sound. */
  failedSilently: number;
  /** Responses that ended twice. */
  endedTwice: number;
  /** Turns that began, but were not answered, dropped or ended by their connection. */
  open: number;
  opened: number;
  /** The first report of every ring by its timer's name, in ms of performance.now(). */
  rings: Map<string, number>;
  /** Rings that one connection reported twice. */
  rangTwice: number;
  errors: { code: string; message: string }[];
}

interface Turn {
  socket: WebSocket;
  isOver: boolean;
  ends: number;
  hasSound: boolean;
}

const question = spokenClip('weather');
const maxTurns = 2_000;

/**
 * Satellites, each with an open microphone. They reconnect as docs/listen.md says, and play every response to
 * its end.
 */
export function openRooms(url: string, names: readonly string[], signal: AbortSignal) {
  const seen: RoomsSeen = {
    ...{ spoken: 0, answered: 0, failed: 0, failedSilently: 0, endedTwice: 0, open: 0, opened: 0 },
    ...{ rings: new Map(), rangTwice: 0, errors: [] },
  };
  const reported = new WeakMap<WebSocket, Set<string>>();
  const turns = new Map<string, Turn>();
  const satellites = names.map((name) => openSatellite(name));

  function openSatellite(name: string) {
    let socket: WebSocket | undefined;
    let waitMs = 500;
    let isClosed = false;
    let speaking: string | undefined;
    const connect = () => {
      if (isClosed || signal.aborted) return;
      const own = new WebSocket(`${url.replace('http', 'ws')}/listen?client=sat-${name}&room=${name}`);
      socket = own;
      own.on('open', () => {
        seen.opened += 1;
        waitMs = 500;
      });
      own.on('error', () => undefined); // The close event that follows handles this.
      own.on('message', (data, isBinary) => {
        if (isBinary) return noteSound(speaking);
        const event = readServerEvent(String(data));
        if (event.type === 'response.output_audio.started') speaking = event.turn_id;
        take(event, own);
        play(event, own);
      });
      own.on('close', (code) => {
        for (const turn of turns.values()) if (turn.socket === own) turn.isOver = true;
        if (code === 4000) return;
        setTimeout(connect, waitMs).unref();
        waitMs = Math.min(30_000, waitMs * 2);
      });
    };
    connect();
    const microphone = openMicrophone({
      send: (frame) => socket?.readyState === WebSocket.OPEN && socket.send(frame),
    });
    return {
      say: () => microphone.say({ sampleRateHz: 16_000, samples: question }),
      close: () => {
        isClosed = true;
        microphone.close();
        socket?.close(1000);
      },
    };
  }

  function noteSound(turnId: string | undefined): void {
    const turn = turnId === undefined ? undefined : turns.get(turnId);
    if (turn) turn.hasSound = true;
  }

  function play(event: ServerEvent, socket: WebSocket): void {
    if (event.type !== 'response.output_audio.done') return;
    const { turn_id, audio_duration_ms: played_ms } = event;
    setTimeout(() => {
      if (socket.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ type: 'playback.finished', turn_id, played_ms }));
    }, played_ms).unref();
  }

  function take(event: ServerEvent, socket: WebSocket): void {
    if (event.type === 'timer.finished') noteRing(event.timer, socket);
    if (event.type === 'error' && seen.errors.length < maxTurns) seen.errors.push(event.error);
    if (!('turn_id' in event) || typeof event.turn_id !== 'string') return;
    const turn = turnOf(event.turn_id, socket);
    if (event.type === 'input_audio_buffer.cleared') turn.isOver = true;
    if (event.type === 'response.done') takeEnd(turn, event.status);
  }

  function turnOf(id: string, socket: WebSocket): Turn {
    const turn = turns.get(id) ?? { socket, isOver: false, ends: 0, hasSound: false };
    turns.set(id, turn);
    if (turns.size > maxTurns) forgetOldTurns();
    return turn;
  }

  function noteRing({ id, name }: { id: string; name: string | null }, socket: WebSocket): void {
    const before = reported.get(socket) ?? new Set();
    if (before.has(id)) seen.rangTwice += 1;
    reported.set(socket, before.add(id));
    if (!seen.rings.has(name ?? id)) seen.rings.set(name ?? id, performance.now());
  }

  function forgetOldTurns(): void {
    for (const [id, { isOver }] of turns) if (isOver) turns.delete(id);
  }

  function takeEnd(turn: Turn, status: string): void {
    turn.isOver = true;
    turn.ends += 1;
    if (turn.ends > 1) seen.endedTwice += 1;
    if (status !== 'failed') seen.answered += 1;
    else seen.failed += 1;
    if (status === 'failed' && !turn.hasSound) seen.failedSilently += 1;
  }

  return {
    /** Every satellite repeats its question with pauses, until the end. */
    async talk(isOn: () => boolean): Promise<void> {
      await Promise.all(
        satellites.map(async (satellite, index) => {
          await delay(500 + index * 900);
          while (isOn()) {
            seen.spoken += 1;
            await satellite.say();
            await delay(6_000 + Math.random() * 2_000);
          }
        }),
      );
    },
    seen(): RoomsSeen {
      return { ...seen, open: [...turns.values()].filter(({ isOver }) => !isOver).length };
    },
    close(): void {
      for (const satellite of satellites) satellite.close();
    },
  };
}
