/** Which events a caller is offered. The rule is in risk/offering.ts. */
import type { PresentedSession } from '../embed/sessions.ts';
import type { Audience } from '../markets/catalogue/event-index.ts';
import { type Operator, parseOperator } from '../operators/operator.ts';
import { isOffered, type Offering } from '../risk/offering.ts';

/** Callers without an identity: the public website, and streams without a token. */
export const EVERYONE: Audience = { key: '', live: false, offers: () => true };

const ofOperators = new WeakMap<Operator, Audience>();

/** Cached for each parsed state of the operator, because every list request needs it. */
export function audienceOfOperator(operator: Operator): Audience {
  let audience = ofOperators.get(operator);
  if (audience === undefined) {
    audience = audienceOf(operator, { categories: operator.offerCategories, eventIds: null });
    ofOperators.set(operator, audience);
  }
  return audience;
}

export function audienceOfSession(session: PresentedSession): Audience {
  const operator = parseOperator(session.operatorRow);
  return audienceOf(operator, {
    categories: operator.offerCategories,
    eventIds: session.bookEventIds === null ? null : new Set(session.bookEventIds),
  });
}

function audienceOf({ mode }: Operator, offering: Offering): Audience {
  const { categories, eventIds } = offering;
  const live = mode === 'live';
  if (categories === null && eventIds === null) {
    return { ...EVERYONE, live };
  }
  const key = JSON.stringify([categories?.toSorted() ?? null, eventIds === null ? null : [...eventIds].sort()]);
  return { key, live, offers: (event) => isOffered(offering, event) };
}
