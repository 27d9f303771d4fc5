import type { Handlers } from './contract-routes.ts';

/** A language with the sentences that a satellite says itself. */
interface LanguageOfSatellite {
  tag: string;
  phrases: { satellite: { lost?: string | undefined; hear_me: { question: string; answer: string[] } } };
}

interface SatelliteWordRoutesOptions {
  /** The language with this tag. Undefined: the household's first. */
  languageOf: (tag: string | undefined) => LanguageOfSatellite;
  /** The tag of the language that a request names. Throws AppError. */
  languageIn: (named: string | undefined) => string | undefined;
}

/** The sentences that a satellite says itself, for use when the server is unreachable or has no session. */
export function satelliteWordRoutes({
  languageOf,
  languageIn,
}: SatelliteWordRoutesOptions): Pick<Handlers, 'getSatelliteWords'> {
  return {
    getSatelliteWords({ query }) {
      const { tag, phrases } = languageOf(languageIn(query.language));
      const { lost = null, hear_me } = phrases.satellite;
      return { language: tag, lost, hear_me };
    },
  };
}
