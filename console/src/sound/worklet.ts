/// <reference path="./worklet-scope.d.ts" />
import { createResampler } from '../../../api/src/audio/resampler.ts';
import { speechRateHz } from '../../../api/src/audio/speech-rate.ts';
import { createFrameCutter } from './frame-cutter.ts';
import { type FromMicrophone, loudspeakerName, microphoneName, type ToLoudspeaker } from './messages.ts';
import { createPlayout } from './playout.ts';

/** Runs in the sound thread, which asks for 128 samples at a time. This code must never block. */
const toldEvery = 40;

class Microphone extends AudioWorkletProcessor {
  readonly #resampler = createResampler({ fromHz: sampleRate, toHz: speechRateHz });
  readonly #cutter = createFrameCutter((frame) => {
    const level = frame.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0) / 32_768;
    // The time of the sound thread stands still while the sound is suspended.
    const message: FromMicrophone = { frame, level, atMs: Date.now() };
    this.port.postMessage(message, [frame.buffer]);
  });

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples) this.#cutter.push(this.#resampler.push(samples));
    return true;
  }
}

class Loudspeaker extends AudioWorkletProcessor {
  readonly #playout = createPlayout({
    toHz: sampleRate,
    onPlayed: (played) => this.port.postMessage(played),
  });
  #calls = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<ToLoudspeaker>) => {
      if (data.do === 'play') this.#playout.play(data.turnId, data.samples);
      else if (data.do === 'end') this.#playout.end(data.turnId);
      else this.#playout.stop(data.turnId);
    };
  }

  process(_inputs: Float32Array[][], [output]: Float32Array[][]): boolean {
    const [first, ...others] = output ?? [];
    if (first) this.#playout.render(first);
    for (const other of others) if (first) other.set(first);
    this.#calls += 1;
    if (this.#calls % toldEvery === 0) this.#playout.report();
    return true;
  }
}

registerProcessor(microphoneName, Microphone);
registerProcessor(loudspeakerName, Loudspeaker);
