import { z } from 'zod';
import type { ReadState } from './home-look.ts';
import { domainOf } from './home-templates.ts';

const maxBright = 255;

const settingSchema = z.object({
  state: z.string(),
  attributes: z
    .object({
      temperature: z.number().nullish(),
      min_temp: z.number().nullish(),
      max_temp: z.number().nullish(),
      brightness: z.number().nullish(),
      percentage: z.number().nullish(),
      percentage_step: z.number().nullish(),
      current_position: z.number().nullish(),
      humidity: z.number().nullish(),
    })
    .default({}),
});

const colorSchema = z.object({
  attributes: z.object({ color_mode: z.string().nullish() }).default({}),
});

const whiteSchema = z.object({
  state: z.string(),
  attributes: z
    .object({
      color_temp_kelvin: z.number().nullish(),
      min_color_temp_kelvin: z.number().nullish(),
      max_color_temp_kelvin: z.number().nullish(),
    })
    .default({}),
});

/** The color temperature of a light, in kelvin. */
export interface ColorTemperature {
  /** Null: the light is on and shows a color. */
  now: number | null;
  isOn: boolean;
  low: number;
  high: number;
}

/** Modes of a light that shows no colour. */
const colorless = ['onoff', 'brightness', 'unknown'];

const featuresSchema = z.object({
  attributes: z
    .object({
      supported_color_modes: z.array(z.string()).default([]),
      supported_features: z.number().int().optional(),
    })
    .default({ supported_color_modes: [] }),
});

/** The settings of an entity besides on and off. */
export type SettableFeature =
  | 'brightness'
  | 'color'
  | 'color_temperature'
  | 'speed'
  | 'position'
  | 'volume'
  | 'temperature';

/**
 * The color modes of a light without a feature. `unknown` tells nothing. A light with colors but no
 * `color_temp` is set to a color temperature by Home Assistant, which converts it.
 */
const modesWithout: Readonly<Partial<Record<SettableFeature, readonly string[]>>> = {
  brightness: ['onoff'],
  color: ['onoff', 'brightness', 'color_temp', 'white'],
  color_temperature: ['onoff', 'brightness', 'white'],
};

/** The bits of Home Assistant's `supported_features`: `SET_SPEED`, `SET_POSITION`, `VOLUME_SET`. */
const featureBits: Readonly<Partial<Record<SettableFeature, number>>> = {
  speed: 1,
  position: 4,
  volume: 4,
  // `TARGET_TEMPERATURE`. Without it, a thermostat takes a range or nothing.
  temperature: 1,
};

/** Reads how entities are set. */
export function createHomeSettings(look: ReadState) {
  return {
    /** The setting of an entity besides its state. */
    setting: (id: string, signal: AbortSignal) => settingOf(id, { look, signal }),

    /** Whether a light shows a colour or does not report its mode. */
    mayShowColor: (id: string, signal: AbortSignal) => mayShowColor(id, { look, signal }),

    /** The color temperature of a light. Null: it reports no range of them. */
    async colorTemperature(id: string, signal: AbortSignal): Promise<ColorTemperature | null> {
      const { state, attributes } = await look(id, whiteSchema, signal);
      const { min_color_temp_kelvin: low, max_color_temp_kelvin: high } = attributes;
      if (typeof low !== 'number' || typeof high !== 'number') return null;
      return { now: attributes.color_temp_kelvin ?? null, isOn: state === 'on', low, high };
    },

    /** Whether an entity has a feature, or does not list its features. */
    async mayHaveFeature(id: string, feature: SettableFeature, signal: AbortSignal): Promise<boolean> {
      const { supported_color_modes: modes, supported_features: bits } = (
        await look(id, featuresSchema, signal)
      ).attributes;
      const bit = featureBits[feature];
      if (bit !== undefined) return bits === undefined || (bits & bit) !== 0;
      return modes.length === 0 || !modes.every((mode) => modesWithout[feature]?.includes(mode));
    },
  };
}

async function mayShowColor(
  id: string,
  { look, signal }: { look: ReadState; signal: AbortSignal },
): Promise<boolean> {
  const { color_mode: mode } = (await look(id, colorSchema, signal)).attributes;
  return typeof mode !== 'string' || !colorless.includes(mode);
}

/** The current setting of an entity. */
export interface HomeSetting {
  unit: 'degrees' | 'percent';
  value: number;
  /** The lowest and the highest value of a thermostat, if it reports them. */
  limits?: { low: number; high: number };
  /** Percent between two speeds of a fan. */
  step?: number;
}

/** States without a setting, or with an unknown one. */
const without = new Set(['off', 'closed', 'unavailable', 'unknown']);

function degrees(attributes: z.infer<typeof settingSchema>['attributes']): HomeSetting | null {
  const { temperature, min_temp: low, max_temp: high } = attributes;
  if (typeof temperature !== 'number') return null;
  const setting = { unit: 'degrees', value: temperature } as const;
  return typeof low === 'number' && typeof high === 'number'
    ? { ...setting, limits: { low, high } }
    : setting;
}

const stepped = (setting: HomeSetting | null, step: number | null | undefined): HomeSetting | null =>
  setting && typeof step === 'number' ? { ...setting, step } : setting;

/** An entity's setting besides its state: a thermostat's degrees, a light's brightness. Null: it has none. */
export async function settingOf(
  id: string,
  { look, signal }: { look: ReadState; signal: AbortSignal },
): Promise<HomeSetting | null> {
  const { state, attributes } = await look(id, settingSchema, signal);
  if (without.has(state)) return null;
  const percent = (value: number | null | undefined, all = 100): HomeSetting | null =>
    value === null || value === undefined
      ? null
      : { unit: 'percent', value: Math.round((value / all) * 100) };
  switch (domainOf(id)) {
    case 'climate':
    case 'water_heater':
      return degrees(attributes);
    case 'light':
      return percent(attributes.brightness, maxBright);
    case 'fan':
      return stepped(percent(attributes.percentage), attributes.percentage_step);
    case 'humidifier':
      return percent(attributes.humidity);
    case 'cover':
    case 'valve':
      return percent(attributes.current_position);
    default:
      return null;
  }
}
