import { describe, expect, test } from 'vitest';
import { createEchoGate } from '../../../api/src/audio/echo-gate.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const perMs = 16;
const reply = spokenClip('weather');
const lagMs = 300;

/** The reply as the microphone hears it: late, softer, dull, and with a separate echo. */
function throughTheRoom(sound: Buffer, { loudness = 0.3 } = {}): Buffer {
  const recorded = Buffer.alloc(sound.length);
  const at = (index: number) => (index < 0 ? 0 : sound.readInt16LE(index * 2));
  let dull = 0;
  for (let index = 0; index < sound.length / 2; index += 1) {
    const whole = at(index) + 0.4 * at(index - 90) - 0.3 * at(index - 411) + 0.2 * at(index - 1_203);
    dull += (whole - dull) * 0.4;
    recorded.writeInt16LE(Math.round(loudness * dull), index * 2);
  }
  return recorded;
}

function mixed(one: Buffer, other: Buffer): Buffer {
  const sound = Buffer.alloc(Math.min(one.length, other.length));
  for (let at = 0; at < sound.length; at += 2) {
    const sum = one.readInt16LE(at) + other.readInt16LE(at);
    sound.writeInt16LE(Math.max(-32_768, Math.min(32_767, sum)), at);
  }
  return sound;
}

/** A gate for a loudspeaker that should play the reply, at `fromMs` of the microphone's time. */
function playing(fromMs = 0) {
  const gate = createEchoGate();
  gate.play(reply, fromMs * perMs);
  return gate;
}

/** The microphone's recording up to `untilMs`, if the sound begins at `fromMs`. */
const recordedUntil = (sound: Buffer, fromMs: number, untilMs: number) =>
  sound.subarray(0, (untilMs - fromMs) * perMs * 2);

describe('the echo gate', () => {
  test.each([400, 700, 1_000, 1_300])('recognizes the returning reply after %i ms of it', (ms) => {
    const recorded = recordedUntil(throughTheRoom(reply), lagMs, lagMs + ms);

    expect(playing().isEcho(recorded, (lagMs + ms) * perMs)).toBe(true);
  });

  test.each([20, 700, 1_400])('finds the echo at any delay: %i ms', (ms) => {
    const recorded = recordedUntil(throughTheRoom(reply), ms, ms + 800);

    expect(playing().isEcho(recorded, (ms + 800) * perMs)).toBe(true);
  });

  test('recognizes the echo in the noise of a fan', () => {
    const recorded = recordedUntil(mixed(throughTheRoom(reply), fan(2_000, 0.01)), lagMs, lagMs + 800);

    expect(playing().isEcho(recorded, (lagMs + 800) * perMs)).toBe(true);
  });

  test.each(['hello', 'stop-stop', 'pause'] as const)('does not take "%s" for the reply', (name) => {
    const voice = spokenClip(name);

    for (let ms = 200; ms <= 500; ms += 100) {
      expect(playing().isEcho(recordedUntil(voice, 0, ms), (lagMs + ms) * perMs)).toBe(false);
    }
  });

  test.each(['hello', 'weather', 'pause'] as const)(
    'does not take "%s" for a sound that stops abruptly',
    (name) => {
      const voice = spokenClip(name);

      for (let ms = 128; ms <= 608; ms += 96) {
        const gate = createEchoGate();
        gate.play(Buffer.alloc(300 * perMs * 2, 1), 0);
        expect(gate.isEcho(recordedUntil(voice, 0, ms), (350 + ms) * perMs)).toBe(false);
      }
    },
  );

  test('passes a voice that is louder than the reply', () => {
    const both = mixed(throughTheRoom(reply, { loudness: 0.03 }), spokenClip('stop-stop'));

    expect(playing().isEcho(recordedUntil(both, lagMs, lagMs + 400), (lagMs + 400) * perMs)).toBe(false);
  });

  test('passes everything while no reply plays', () => {
    const recorded = throughTheRoom(reply);

    expect(createEchoGate().isEcho(recorded, 10_000 * perMs)).toBe(false);
    expect(playing().isEcho(recorded, 60_000 * perMs)).toBe(false);
  });

  test('does not expect an echo of a reply that was cut off', () => {
    const gate = playing(1_000);
    gate.stop(1_000 * perMs);

    expect(gate.isEcho(throughTheRoom(reply).subarray(0, 800 * perMs * 2), 2_100 * perMs)).toBe(false);
  });

  test('does not take silence for an echo', () => {
    expect(playing().isEcho(quiet(200), 500 * perMs)).toBe(false);
  });

  test('finds an echo long after the connection began', () => {
    const hour = 3_600_000;
    const gate = playing(0);
    gate.play(reply, hour * perMs);
    const recorded = recordedUntil(throughTheRoom(reply), 0, 800);

    expect(gate.isEcho(recorded, (hour + lagMs + 800) * perMs)).toBe(true);
  });

  test('appends sound sent ahead to the sound sent before', () => {
    const gate = createEchoGate();
    const half = reply.length / 2 - ((reply.length / 2) % 2);
    gate.play(reply.subarray(0, half), 0);
    gate.play(reply.subarray(half), 0);
    const recorded = recordedUntil(throughTheRoom(reply), 0, 1_200);

    expect(gate.isEcho(recorded, (lagMs + 1_200) * perMs)).toBe(true);
  });
});
