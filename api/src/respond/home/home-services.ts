import { domainOf } from '../../engines/home-templates.ts';

/** A call of one of Home Assistant's services. */
export interface ServiceCall {
  service: string;
  data: Readonly<Record<string, number | boolean | string>>;
}

/** The spoken value: percent or degrees, and the words. */
interface SaidValue {
  number: number | null;
  text: string;
  /** The color temperature of a light, in kelvin. */
  kelvin?: number | null;
}

type Call = (value: SaidValue) => ServiceCall | null;

const plain =
  (service: string, data: ServiceCall['data'] = {}): Call =>
  () => ({ service, data });
/** A service that needs the number that was said. */
const valued =
  (service: string, key: string, factor = 1): Call =>
  ({ number }) =>
    number === null ? null : { service, data: { [key]: number * factor } };
const each = (domains: readonly string[], callOf: (domain: string) => Call) =>
  Object.fromEntries(domains.map((domain) => [domain, callOf(domain)]));

/** Domains with `turn_on` and `turn_off`. Covers and locks stay out: a switch word must not open a door. */
const switched = [
  ...['light', 'switch', 'fan', 'input_boolean', 'humidifier', 'siren', 'media_player'],
  ...['climate', 'water_heater'],
];
const start = {
  vacuum: plain('vacuum.start'),
  lawn_mower: plain('lawn_mower.start_mowing'),
};
const dock = {
  vacuum: plain('vacuum.return_to_base'),
  lawn_mower: plain('lawn_mower.dock'),
};
const openValve = plain('valve.open_valve');
const closeValve = plain('valve.close_valve');
const brightness = { light: valued('light.turn_on', 'brightness_pct') };
const white = { light: valued('light.turn_on', 'color_temp_kelvin') };
const temperature = each(['climate', 'water_heater'], (domain) =>
  valued(`${domain}.set_temperature`, 'temperature'),
);
const position = {
  cover: valued('cover.set_cover_position', 'position'),
  valve: valued('valve.set_valve_position', 'position'),
};
const player = (service: string, data: ServiceCall['data'] = {}) => ({
  media_player: plain(`media_player.${service}`, data),
});
const volumeSet = valued('media_player.volume_set', 'volume_level', 0.01);
const volume = { media_player: volumeSet };
/** Without an amount, the player's own step. */
const relativeVolume = (service: string) => ({
  media_player: (value: SaidValue) => volumeSet(value) ?? { service: `media_player.${service}`, data: {} },
});

/** The services for each of our intents, by domain. */
const services: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  brighter: brightness,
  darker: brightness,
  shine: brightness,
  warmer_light: white,
  cooler_light: white,
  warmer: temperature,
  cooler: temperature,
  faster: { fan: plain('fan.increase_speed') },
  slower: { fan: plain('fan.decrease_speed') },
  color: {
    light: ({ text, kelvin = null }) => ({
      service: 'light.turn_on',
      data: kelvin === null ? { color_name: text } : { color_temp_kelvin: kelvin },
    }),
  },
  brew: { switch: plain('switch.turn_on') },
  on: {
    ...each(switched, (domain) => plain(`${domain}.turn_on`)),
    ...each(['scene', 'script'], (domain) => plain(`${domain}.turn_on`)),
    ...each(['button', 'input_button'], (domain) => plain(`${domain}.press`)),
    ...start,
    valve: openValve,
  },
  off: {
    ...each(switched, (domain) => plain(`${domain}.turn_off`)),
    ...dock,
    valve: closeValve,
  },
  open: { cover: plain('cover.open_cover'), valve: openValve },
  more_open: position,
  less_open: position,
  close: { cover: plain('cover.close_cover'), valve: closeValve },
  water: {
    valve: openValve,
    switch: plain('switch.turn_on'),
  },
  lock: { lock: plain('lock.lock') },
  unlock: { lock: plain('lock.unlock') },
  set: {
    ...brightness,
    ...temperature,
    ...volume,
    ...position,
    fan: valued('fan.set_percentage', 'percentage'),
    humidifier: valued('humidifier.set_humidity', 'humidity'),
  },
  louder: relativeVolume('volume_up'),
  quieter: relativeVolume('volume_down'),
  volume,
  mute: player('volume_mute', { is_volume_muted: true }),
  music_off: player('turn_off'),
  unmute: player('volume_mute', { is_volume_muted: false }),
  pause: player('media_pause'),
  resume: player('media_play'),
  next: player('media_next_track'),
  previous: player('media_previous_track'),
  clean: { vacuum: start.vacuum },
  stop_cleaning: { vacuum: dock.vacuum },
  mow: { lawn_mower: start.lawn_mower },
  park: { lawn_mower: dock.lawn_mower },
  dock,
  start: { ...start, ...player('media_play') },
  stop: {
    ...dock,
    ...player('media_pause'),
    fan: plain('fan.turn_off'),
    cover: plain('cover.stop_cover'),
    valve: closeValve,
  },
};

/** The service that makes the spoken change to an entity. Null: there is none, or the number is missing. */
export function serviceFor(intent: string, id: string, value: SaidValue): ServiceCall | null {
  return services[intent]?.[domainOf(id)]?.(value) ?? null;
}

/** The domains that have a service for an intent. */
export function domainsOf(intent: string): readonly string[] {
  return Object.keys(services[intent] ?? {});
}
