/**
 * Pictures of the teams and players that Kalshi's events are about, which the exchange keeps apart from its markets as structured
 * targets. An event has the picture of a target if all its markets name that one: the picture of one team would be wrong for a game.
 * Each is asked for once, a few with each catalogue, so that they never hold it up.
 */
import { z } from 'zod';
import { pictureOf } from '../derived.ts';
import { chunksOf } from '../held.ts';
import type { VenueEvent } from '../listing.ts';
import { VenueUnknown } from '../port.ts';
import { expectShape, validateItems } from '../response-shape.ts';
import type { Note } from '../unknowns.ts';
import type { KalshiRest } from './rest.ts';
import type { KalshiMarket } from './schemas.ts';

/** Targets per request: their ids are part of the URL. */
const BATCH = 50;
/** Requests with each catalogue: it is read once a minute, and a list costs 10 of 200 tokens a second. */
const MOST_BATCHES = 5;

const targetList = z.looseObject({ structured_targets: z.array(z.unknown()) });
const structuredTarget = z.looseObject({
  id: z.string().min(1),
  details: z.looseObject({ image_url: z.string().nullish() }).nullish(),
});
const uuid = z.guid();

/** The target that all markets of an event name; undefined if there is none, or several. */
export function targetOfAll(markets: readonly Pick<KalshiMarket, 'custom_strike'>[]): string | undefined {
  const [first, ...others] = new Set(markets.map(({ custom_strike: strike }) => targetIn(strike ?? {})));
  return others.length === 0 ? first : undefined;
}

/** A market about a player names the team too. */
function targetIn(strike: Readonly<Record<string, unknown>>): string | undefined {
  const named = Object.entries(strike).flatMap(([kind, id]) => {
    const target = uuid.safeParse(id).data;
    return target === undefined ? [] : [{ isTeam: kind.endsWith('_team'), target }];
  });
  return (named.find(({ isTeam }) => !isTeam) ?? named[0])?.target;
}

export interface KalshiPictures {
  /** @param targets the target of each event that was read, undefined where it has none */
  about(targets: ReadonlyMap<string, string | undefined>): void;
  /** Asks for some of what is missing. What is not answered is asked for again with the next catalogue. */
  read(events: readonly VenueEvent[]): Promise<void>;
  /** The event with its picture, if that is known. */
  pictured(event: VenueEvent): VenueEvent;
}

export function openKalshiPictures(venue: string, rest: KalshiRest, note: Note): KalshiPictures {
  const targets = new Map<string, string | undefined>();
  /** Of each target that was asked for; null where it has none. */
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
