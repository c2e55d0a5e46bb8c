/**
 * Events as ready JSON text: one text for each version of an event and locale, made when it is first needed. The board
 * replaces only objects that changed, so after a change of one book one outcome is rendered again and joined with the
 * others.
 */
import { hash } from 'node:crypto';
import type { BoardContract } from '../contract.ts';
import type { BoardEvent } from '../event.ts';
import type { HaltedVenues } from '../prices/halted-venues.ts';
import type { RenderLocale } from './event-query.ts';
import { listedOutcomes, renderEventHead, renderOutcome } from './render-event.ts';

/** JSON text that is valid until a time, in milliseconds, at which a close passes. */
interface Text {
  readonly json: string;
  readonly until: number;
}

/** JSON bytes that can be sent unchanged. */
export interface ReadyJson {
  readonly body: Buffer;
  /** A strong validator: the same bytes have the same tag in every process. */
  readonly etag: string;
}

export interface RenderedEvents {
  /** An event as a list shows it, without its `trending` block. */
  listed(event: BoardEvent, locale: RenderLocale, now: Date): Text;
  /** An event with all its outcomes. */
  whole(event: BoardEvent, locale: RenderLocale, now: Date): Text;
}

type Texts = Partial<Record<RenderLocale, Text>>;

/** @param halted venues that may not be sent to now, for events as live operators see them; null for everybody else */
export function createRenderedEvents(halted: HaltedVenues | null): RenderedEvents {
  const outcomes = new WeakMap<BoardContract, Texts>();
  const lists = new WeakMap<BoardEvent, Texts>();
  const wholes = new WeakMap<BoardEvent, Texts>();

  function outcome(contract: BoardContract, locale: RenderLocale, now: Date): Text {
    return remember(outcomes, contract, locale, now, () => ({
      json: JSON.stringify(renderOutcome(contract, locale, now, halted)),
      until: contract.closesAt > now ? contract.closesAt.getTime() : Number.POSITIVE_INFINITY,
    }));
  }

  function join(event: BoardEvent, contracts: readonly BoardContract[], locale: RenderLocale, now: Date): Text {
    const head = JSON.stringify(renderEventHead(event, locale));
    const parts = contracts.map((contract) => outcome(contract, locale, now));
    return {
      json: `${head.slice(0, -1)},"outcomes":[${parts.map(({ json }) => json).join(',')}]}`,
      until: Math.min(...parts.map(({ until }) => until)),
    };
  }

  return {
    listed: (event, locale, now) =>
      remember(lists, event, locale, now, () => join(event, listedOutcomes(event), locale, now)),
    whole: (event, locale, now) =>
      remember(wholes, event, locale, now, () => join(event, event.contracts, locale, now)),
  };
}

function remember<K extends object>(
  texts: WeakMap<K, Texts>,
  key: K,
  locale: RenderLocale,
  now: Date,
  make: () => Text,
): Text {
  let byLocale = texts.get(key);
  if (byLocale === undefined) {
    byLocale = {};
    texts.set(key, byLocale);
  }
  const known = byLocale[locale];
  if (known !== undefined && now.getTime() < known.until) {
    return known;
  }
  const made = make();
  byLocale[locale] = made;
  return made;
}

export function readyJson(json: string): ReadyJson {
  const body = Buffer.from(json);
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` };
}
