import { sendBadRecordings } from './bad-recordings.ts';
import { median, roundTo, table } from './measure.ts';
import type { Part } from './part.ts';
import { outputOf, residentMb } from './processes.ts';

const targets = { answersMs: 2_000, residentMb: 150, imageMb: 400 };
const starts = 5;
const image = 'hearth';

/** Start, memory and image. It runs last, because it reads the memory after the other parts have run. */
export const footprintPart: Part = {
  name: 'footprint',
  async run(house) {
    const apiMb = await residentMb(house.api.child);
    const workerMb = await residentMb(house.worker);
    const bad = await sendBadRecordings(house);
    const timesMs = { answers: [] as number[], ready: [] as number[] };
    for (let start = 0; start < starts; start += 1) {
      const { child, answersMs, readyMs } = await house.startApi();
      timesMs.answers.push(answersMs);
      timesMs.ready.push(readyMs);
      await house.stop(child);
    }
    const bytes = await outputOf('docker', 'image', 'inspect', '--format', '{{.Size}}', image);
    const imageMb = bytes ? Number(bytes) / 1e6 : null;

    const answersMs = median(timesMs.answers);
    const rows = [
      ['what', 'measured', 'target'],
      ['api start to first answer, first start', `${house.api.answersMs.toFixed(0)} ms`, ''],
      ['api start to first answer, later', `${answersMs.toFixed(0)} ms`, `${targets.answersMs} ms`],
      ['api start to "ready", with a running worker', `${median(timesMs.ready).toFixed(0)} ms`, ''],
      ['api resident', `${apiMb.toFixed(0)} MB`, `${targets.residentMb} MB`],
      ['worker resident', `${workerMb.toFixed(0)} MB`, `${targets.residentMb} MB`],
      [
        `api resident, before ${bad.sent} bad recordings and after`,
        `${bad.beforeMb.toFixed(0)}, ${bad.afterMb.toFixed(0)} MB`,
        `${targets.residentMb} MB`,
      ],
      ['programs left running by them', String(bad.childrenLeft), '0'],
      [
        'image',
        imageMb === null ? `no image "${image}" here` : `${imageMb.toFixed(0)} MB`,
        `${targets.imageMb} MB`,
      ],
    ];
    const limits: [string, number, number][] = [
      ['ms until the api answers', answersMs, targets.answersMs],
      ['MB resident in the api', apiMb, targets.residentMb],
      ['MB resident in the worker', workerMb, targets.residentMb],
      ['MB resident in the api after bad recordings', bad.afterMb, targets.residentMb],
      ['programs left by bad recordings', bad.childrenLeft, 0],
      ['MB in the image', imageMb ?? 0, targets.imageMb],
    ];
    return {
      text: `Start, memory, image\n${table(rows)}`,
      figures: {
        firstStartMs: roundTo(house.api.answersMs, 1),
        startsMs: timesMs,
        residentMb: { api: roundTo(apiMb, 1), worker: roundTo(workerMb, 1) },
        badRecordings: bad,
        imageMb,
      },
      missed: limits
        .filter(([, value, max]) => value > max)
        .map(([what, value, max]) => `${value.toFixed(0)} ${what}; the limit is ${max}.`),
    };
  },
};
