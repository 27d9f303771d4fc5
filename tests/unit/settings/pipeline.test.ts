import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { effectivePipeline, pipelineKeys } from '../../../api/src/settings/pipeline.ts';
import { contractDocument, mismatch } from '../../support/clients/contract-check.ts';

const propertySchema = z.looseObject({
  description: z.string(),
  default: z.unknown(),
  'x-group': z.enum(['Conversation', 'Hearing', 'Answering', 'Speaking', 'Timers', 'House', 'Upkeep']),
  'x-unit': z.string().optional(),
});
const documentSchema = z.looseObject({
  components: z.looseObject({
    schemas: z.looseObject({
      Pipeline: z.looseObject({
        required: z.array(z.string()),
        properties: z.record(z.string(), propertySchema),
      }),
      PipelinePatch: z.looseObject({ properties: z.record(z.string(), z.unknown()) }),
    }),
  }),
});
const { Pipeline, PipelinePatch } = documentSchema.parse(contractDocument).components.schemas;
const { values: defaults } = effectivePipeline({}, {});

describe('the settings in the contract', () => {
  test('match those of the server, each with its sentence and group', () => {
    expect(Object.keys(Pipeline.properties)).toEqual(pipelineKeys);
    expect(Pipeline.required).toEqual(pipelineKeys);
    expect(Object.keys(PipelinePatch.properties)).toEqual(pipelineKeys);
  });

  test.each(pipelineKeys)('contain the effective default of %s', (key) => {
    expect(Pipeline.properties[key]?.default).toEqual(defaults[key]);
  });

  test('may all be reset to their defaults', () => {
    const patch = Object.fromEntries(pipelineKeys.map((key) => [key, null]));

    expect(mismatch('/components/schemas/PipelinePatch', patch)).toBeNull();
  });

  /** Values of every kind, including those near the limits. */
  const someValue = fc.oneof(
    fc.integer({ min: -2, max: 31_000 }),
    fc.constantFrom(0.4, 0.5, 1.5, 2, 2.1, 16, 15, 4_000, 4_001, 200, 199, 3_000, 3_001, 5_000, 5_001),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(
      '',
      '07:00',
      '24:00',
      '7:00',
      'never',
      'en',
      'EN',
      'x'.repeat(200),
      'x'.repeat(201),
      'a\u0007',
    ),
    fc.constantFrom('x'.repeat(2_000), 'x'.repeat(2_001), 'line\nbreak'),
    fc.array(fc.string({ maxLength: 42 }), { maxLength: 42 }),
    fc.array(
      fc.record(
        {
          name: fc.constantFrom('home', 'Home', ''),
          url: fc.constantFrom('http://a', 'ftp://a'),
          command: fc.constantFrom('run', ''),
          acts: fc.constantFrom({ tool: 'read' }, { tool: 'no' }),
          default_effect: fc.constantFrom('act', 'maybe'),
          other: fc.constant(1),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 9 },
    ),
  );

  test('accept exactly the values that the server accepts', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pipelineKeys), someValue, (key, value) => {
        const isPromised = mismatch('/components/schemas/Pipeline', { ...defaults, [key]: value }) === null;
        const { sources } = effectivePipeline({ [key]: JSON.stringify(value) }, {});

        expect([key, value, sources[key] === 'set']).toEqual([key, value, isPromised]);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('the effective value', () => {
  test("is the stored value, then the environment's, then the default", () => {
    const { values, sources } = effectivePipeline(
      { speed: '1.5', voice: '"anna"' },
      { voice: 'bert', llm_model: 'qwen3', stt_model: undefined },
    );

    expect([values.speed, values.voice, values.llm_model, values.stt_model]).toEqual([
      1.5,
      'anna',
      'qwen3',
      null,
    ]);
    expect([sources.speed, sources.voice, sources.llm_model, sources.stt_model]).toEqual([
      'set',
      'set',
      'environment',
      'default',
    ]);
  });

  test.each(['{', '', '9', '"fast"', 'null', '[]'])('is the default if %j was stored', (kept) => {
    const { values, sources } = effectivePipeline({ speed: kept, unknown: '1', __proto__: '1' }, {});

    expect([values.speed, sources.speed]).toEqual([1, 'default']);
  });
});
