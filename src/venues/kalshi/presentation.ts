/**
 * Adds translations and pictures to Kalshi's events, which the exchange serves apart from its catalogue. Both are requested once for a
 * few events with each catalogue, so that they never delay it. Whatever fails is requested again with the next catalogue.
 */
import { z } from 'zod';
import { chunksOf } from '../adapter.ts';
import type { VenueEvent } from '../listing.ts';
import { type Note, VenueUnknown } from '../port.ts';
import { expectShape, pictureOf, validateItems } from '../shapes.ts';
import type { KalshiRest } from './rest.ts';
import { type KalshiMarket, kalshiPage } from './shapes.ts';

const LOCALES = ['es', 'pt'] as const;
type TextLocale = (typeof LOCALES)[number];
/** Items per request; more would make the URL too long. */
const BATCH = 50;
/** Requests per catalogue and language. A catalogue is read once a minute, and a list costs 10 of 200 tokens per second. */
const MOST_BATCHES = 5;

const translatedEvent = z.looseObject({
  event_ticker: z.string().min(1),
  title: z.string().min(1),
  sub_title: z.string().nullish(),
  markets: z.array(z.looseObject({ ticker: z.string().min(1), yes_sub_title: z.string() })),
});
type Words = z.output<typeof translatedEvent>;

interface Known {
  /** The English texts that were translated. */
  readonly of: string;
  readonly words: Partial<Record<TextLocale, Words>>;
}

interface KalshiTexts {
  /** Requests some of the missing translations. */
  read(events: readonly VenueEvent[]): Promise<void>;
  /** The event with the known translations of its texts. */
  translated(event: VenueEvent): VenueEvent;
}

/** Titles and labels in Spanish and Portuguese, by `Accept-Language`. They are requested again if the English texts change. */
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

/** A text that is the same as in English is not a translation. */
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

const targetList = z.looseObject({ structured_targets: z.array(z.unknown()) });
const structuredTarget = z.looseObject({
  id: z.string().min(1),
  details: z.looseObject({ image_url: z.string().nullish() }).nullish(),
});
const uuid = z.guid();

interface KalshiPictures {
  /** @param targets by event that was read, its target; undefined if it has none */
  about(targets: ReadonlyMap<string, string | undefined>): void;
  /** Requests some of the missing pictures. */
  read(events: readonly VenueEvent[]): Promise<void>;
  /** The event with its picture, if that is known. */
  pictured(event: VenueEvent): VenueEvent;
}

/** Pictures of the teams and players that events are about, which the exchange calls structured targets. */
export function openKalshiPictures(venue: string, rest: KalshiRest, note: Note): KalshiPictures {
  const targets = new Map<string, string | undefined>();
  /** By target that was requested, the address of its picture; null if it has none. */
  let pictures = new Map<string, string | null>();

  async function ask(ids: readonly string[]): Promise<void> {
    const query = new URLSearchParams([['page_size', String(BATCH)], ...ids.map((id) => ['ids', id])]);
    const { body } = await rest.get(`/structured_targets?${query}`);
    const { structured_targets: raw } = expectShape(venue, 'structured targets', targetList, body);
    const { good, invalid } = validateItems('structured target', structuredTarget, raw);
    for (const { reason } of invalid) {
      note('structured target', reason);
    }
    const found = new Map(good.map(({ id, details }) => [id, pictureOf(details?.image_url)]));
    for (const id of ids) {
      pictures.set(id, found.get(id) ?? null);
    }
  }

  return {
    about(read) {
      for (const [eventId, target] of read) {
        targets.set(eventId, target);
      }
    },
    async read(events) {
      const listed = new Set(events.map(({ eventId }) => eventId));
      for (const eventId of targets.keys()) {
        if (!listed.has(eventId)) {
          targets.delete(eventId);
        }
      }
      const wanted = new Set([...targets.values()].filter((target) => target !== undefined));
      pictures = new Map([...pictures].filter(([target]) => wanted.has(target)));
      const missing = [...wanted].filter((target) => !pictures.has(target));
      try {
        for (const some of chunksOf(missing, BATCH).slice(0, MOST_BATCHES)) {
          await ask(some);
        }
      } catch (error) {
        if (!(error instanceof VenueUnknown)) {
          throw error;
        }
        note('structured targets', error.message);
      }
    },
    pictured: (event) => ({ ...event, imageUrl: pictures.get(targets.get(event.eventId) ?? '') ?? null }),
  };
}

/**
 * The target that all markets of an event name. Undefined if there is none or several: the picture of one team would be wrong for a
 * game.
 */
export function targetOfAll(markets: readonly Pick<KalshiMarket, 'custom_strike'>[]): string | undefined {
  const [first, ...others] = new Set(markets.map(({ custom_strike: strike }) => targetIn(strike ?? {})));
  return others.length === 0 ? first : undefined;
}

/** A market about a player also names the team, so the target that is not a team is preferred. */
function targetIn(strike: Readonly<Record<string, unknown>>): string | undefined {
  const named = Object.entries(strike).flatMap(([kind, id]) => {
    const target = uuid.safeParse(id).data;
    return target === undefined ? [] : [{ isTeam: kind.endsWith('_team'), target }];
  });
  return (named.find(({ isTeam }) => !isTeam) ?? named[0])?.target;
}
