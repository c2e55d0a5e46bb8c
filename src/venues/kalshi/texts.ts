/**
 * Titles and labels of Kalshi's events in Spanish and Portuguese, which the exchange gives by `Accept-Language`. They are asked for once,
 * and again when the English texts change: a few events with each catalogue, so that they never hold it up.
 */
import { z } from 'zod';
import { chunksOf } from '../held.ts';
import type { VenueEvent } from '../listing.ts';
import { VenueUnknown } from '../port.ts';
import { expectShape, validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import type { KalshiRest } from './rest.ts';
import { kalshiPage } from './schemas.ts';

const LOCALES = ['es', 'pt'] as const;
type TextLocale = (typeof LOCALES)[number];
/** Tickers per request: they are part of the URL. */
const BATCH = 50;
/** Requests with each catalogue, of each language: it is read once a minute, and a list costs 10 of 200 tokens a second. */
const MOST_BATCHES = 5;

const translatedEvent = z.looseObject({
  event_ticker: z.string().min(1),
  title: z.string().min(1),
  sub_title: z.string().nullish(),
  markets: z.array(z.looseObject({ ticker: z.string().min(1), yes_sub_title: z.string() })),
});
type Words = z.output<typeof translatedEvent>;

interface Known {
  /** The English texts of which these are translations. */
  readonly of: string;
  readonly words: Partial<Record<TextLocale, Words>>;
}

export interface KalshiTexts {
  /** Asks for some of what is missing. What is not answered is asked for again with the next catalogue. */
  read(events: readonly VenueEvent[]): Promise<void>;
  /** The event with the translations that are known of its texts. */
  translated(event: VenueEvent): VenueEvent;
}

export function openKalshiTexts(venue: string, rest: KalshiRest, note: Note): KalshiTexts {
  const known = new Map<string, Known>();

  async function ask(locale: TextLocale, tickers: readonly string[]): Promise<Words[]> {
    const query = new URLSearchParams({
      limit: String(BATCH),
      with_nested_markets: 'true',
      tickers: tickers.join(','),
    });
    const { body } = await rest.get(`/events?${query}`, locale);
    const { good, invalid } = validateItems(
      'texts',
      translatedEvent,
      expectShape(venue, 'texts', kalshiPage, body).events,
    );
    for (const { reason } of invalid) {
      note(`texts in ${locale}`, reason);
    }
    return good;
  }

  return {
    async read(events) {
      const listed = new Set(events.map(({ eventId }) => eventId));
      for (const eventId of known.keys()) {
        if (!listed.has(eventId)) {
          known.delete(eventId);
        }
      }
      const missing = events.filter((event) => known.get(event.eventId)?.of !== textsOf(event));
      for (const some of chunksOf(missing, BATCH).slice(0, MOST_BATCHES)) {
        const tickers = some.map(({ eventId }) => eventId);
        try {
          const [es, pt] = await Promise.all(LOCALES.map((locale) => ask(locale, tickers)));
          for (const event of some) {
            const of = (words: Words[] = []) => words.find((one) => one.event_ticker === event.eventId);
            const words = Object.fromEntries(
              [['es', of(es)] as const, ['pt', of(pt)] as const].filter(([, found]) => found !== undefined),
            );
            known.set(event.eventId, { of: textsOf(event), words });
          }
        } catch (error) {
          if (!(error instanceof VenueUnknown)) {
            throw error;
          }
          note('texts', error.message);
          return;
        }
      }
    },
    translated(event) {
      const { of, words } = known.get(event.eventId) ?? { of: undefined, words: {} };
      return of === textsOf(event) ? withWords(event, words) : event;
    },
  };
}

function textsOf({ title, subtitle, markets }: VenueEvent): string {
  return JSON.stringify([title, subtitle, ...markets.map(({ listingId, label }) => [listingId, label])]);
}

/** What reads as in English is no translation. */
function withWords(event: VenueEvent, words: Known['words']): VenueEvent {
  const translations = LOCALES.flatMap((locale) => {
    const { title = event.title, sub_title: subtitle } = words[locale] ?? {};
    return title === event.title ? [] : [[locale, { title, subtitle: subtitle || event.subtitle }] as const];
  });
  return {
    ...event,
    translations: Object.fromEntries(translations),
    markets: event.markets.map((market) => {
      const labels = LOCALES.flatMap((locale) => {
        const label =
          words[locale]?.markets.find(({ ticker }) => ticker === market.listingId)?.yes_sub_title || market.label;
        return label === market.label ? [] : [[locale, { label, yesLabel: null, noLabel: null }] as const];
      });
      return { ...market, translations: Object.fromEntries(labels) };
    }),
  };
}
