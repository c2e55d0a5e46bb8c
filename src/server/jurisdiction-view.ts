/**
 * How a list looks if the operator's jurisdiction mode is `enforced`; in other modes nothing is read from the database.
 */
import type { ApiContext } from '../context.ts';
import type { JurisdictionView } from '../markets/catalogue/catalogue.ts';
import type { Operator } from '../operators/operator.ts';
import { getCustomerJurisdiction, mayTrade } from '../risk/jurisdiction.ts';

const OPEN = 'Prediction markets are offered to customers in the permitted countries only.';
const CLOSED = 'Prediction markets are not offered where this customer is.';

/** @param externalUserId null if the list is not for a customer; it is then shown completely */
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
