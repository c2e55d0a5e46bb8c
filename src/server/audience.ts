/**
 * Which part of the catalogue a caller is shown: the events that it is offered, and the notice of a list if the
 * operator enforces jurisdiction. The rules are in risk/offering.ts and risk/jurisdiction.ts.
 */
import type { ApiContext } from '../context.ts';
import type { PresentedSession } from '../embed/sessions.ts';
import type { JurisdictionView } from '../markets/catalogue/catalogue.ts';
import type { Audience } from '../markets/catalogue/event-index.ts';
import { type Operator, parseOperator } from '../operators/operator.ts';
import { getCustomerJurisdiction, mayTrade } from '../risk/jurisdiction.ts';
import { isOffered, type Offering } from '../risk/offering.ts';

/** The audience of callers without an identity: the public website, and streams without a token. */
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

const OPEN = 'Prediction markets are offered to customers in the permitted countries only.';
const CLOSED = 'Prediction markets are not offered where this customer is.';

/**
 * The notice of a list if the operator's jurisdiction mode is `enforced`. In other modes nothing is read from the database.
 * @param externalUserId null if the list is not for a customer; it is then shown completely
 * @returns null in other modes
 */
export async function readJurisdictionView(
  context: Pick<ApiContext, 'reads'>,
  operator: Operator,
  externalUserId: string | null,
): Promise<JurisdictionView | null> {
  if (operator.jurisdictionMode !== 'enforced') {
    return null;
  }
  if (externalUserId === null) {
    return { message: OPEN, permitted: true };
  }
  const { country } = await getCustomerJurisdiction(context.reads, operator.operatorId, externalUserId);
  const permitted = mayTrade(
    { mode: 'enforced', permittedCountries: operator.permittedCountries, allowExits: operator.jurisdictionAllowExits },
    country,
  );
  return { message: permitted ? OPEN : CLOSED, permitted };
}
