/** A customer as text for a terminal: the page for support, and the limits and the place that `limits` and `jurisdiction` print. */

import type { CustomerLimits, JurisdictionAssertion } from '../../client/shapes.ts';
import { minuteOf, withThousands } from '../../core/plain-words.ts';
import type { CustomerPage } from '../service/customer-page.ts';
import type { Facts } from '../terminal/facts.ts';
import type { Paint } from '../terminal/printable.ts';

const MARGIN = '      ';

/** The head of the page: name, status, money, limits and place. */
export function customerFacts({ customer, wallet, limits, place }: CustomerPage): Facts {
  const { externalUserId, operator, status, suspension, createdAt } = customer;
  const { account, operator: ofAll, note, ...inForce } = limitFacts(limits);
  const { asserted, observed, mismatch } = placeFacts(place);
  return {
    customer: `${externalUserId} of ${operator}`,
    status: status === 'suspended' ? suspensionText(suspension) : status,
    since: minuteOf(createdAt.toISOString()),
    ...(wallet === null
      ? {}
      : { wallet: `${withThousands(wallet.available)} free, ${withThousands(wallet.held)} held by orders` }),
    'one wager': inForce['one wager'],
    'in a period': inForce['in a period'],
    'own limits': `${account}${note === undefined ? '' : ` (${note})`}`,
    "operator's limits": ofAll,
    'asserted country': asserted,
    'observed country': observed,
    ...(mismatch === 'yes' ? { 'places differ': mismatch } : {}),
    'may buy there': mayBuyText(status, place),
  };
}

function mayBuyText(status: string, { mayBuy, policy }: CustomerPage['place']): string {
  if (!mayBuy) {
    return `NO: the operator does not permit this place (${policy})`;
  }
  return status === 'suspended' ? 'NO: the customer is suspended' : 'yes';
}

/** @param suspension null if it was made before reasons were recorded */
function suspensionText(suspension: CustomerPage['customer']['suspension']): string {
  if (suspension === null) {
    return 'SUSPENDED';
  }
  const { reason, setBy, since } = suspension;
  return `SUSPENDED on ${minuteOf(since.toISOString())} by ${setBy}: ${reason ?? 'no reason was given'}`;
}

export function drawPositions({ positions }: CustomerPage, paint: Paint): string[] {
  return positions.flatMap(({ positionId, side, status, quantity, operatorMoney: money, market, contractId }) => [
    `  ${positionId}  ${paint('bold', status)}`,
    `${MARGIN}${side}: ${withThousands(quantity)} contracts, cost ${withThousands(money.costBasis)}, booked profit ${withThousands(money.realisedPnl)}`,
    `${MARGIN}${market ?? contractId}`,
  ]);
}

export function drawOrders({ orders }: CustomerPage, paint: Paint): string[] {
  return orders.flatMap((order) => {
    const { executionRef, createdAt, status, action, side, operatorMoney: buy, operatorExitMoney: sell } = order;
    const amount = withThousands(buy?.actualDebit ?? sell?.sellProceeds ?? '0.00');
    const reserved =
      buy === null || buy.actualDebit === buy.authorizationAmount
        ? ''
        : `, ${withThousands(buy.authorizationAmount)} reserved`;
    const why = order.rejectReason ?? order.cancelReason;
    return [
      `  ${paint('bold', executionRef)}  ${minuteOf(createdAt)}  ${status}${why === null ? '' : ` (${why})`}`,
      `${MARGIN}${action} ${side}: ${withThousands(order.filledQuantity)} contracts for ${amount}${reserved}`,
      `${MARGIN}${order.market ?? order.contractId}`,
    ];
  });
}

export function drawSessions({ embedSessions }: CustomerPage): string[] {
  return embedSessions.map(({ sessionId, origin, createdAt, expiresAt }) => {
    const from = minuteOf(createdAt.toISOString());
    return `  ${sessionId}  ${from} to ${minuteOf(expiresAt.toISOString())}${origin === null ? '' : `\n${MARGIN}${origin}`}`;
  });
}

export function drawChanges({ changes }: CustomerPage): string[] {
  return changes.flatMap((change) => [
    `  ${minuteOf(change.recordedAt.toISOString())}  ${changeText(change)}${change.note === null ? '' : `: ${change.note}`}`,
    `${MARGIN}by ${change.setBy}`,
  ]);
}

function changeText(change: CustomerPage['changes'][number]): string {
  switch (change.subject) {
    case 'limits':
      return change.action === 'cleared' ? 'limits cleared' : `limits set to ${describeLevel(change)}`;
    case 'jurisdiction':
      return `place set to ${[change.country, change.subdivision].filter(Boolean).join('-')} (${change.source})`;
    case 'suspension':
      return change.action;
  }
}

/** @returns named lines; amounts are dollars. */
export function limitFacts({ externalUserId, account, operator, effective }: CustomerLimits): Record<string, string> {
  return {
    externalUserId,
    account: describeLevel(account),
    operator: describeLevel(operator),
    'one wager':
      effective.maxWagerRung === null ? 'no limit' : `${dollars(effective.maxWagerMinor)} (${effective.maxWagerRung})`,
    'in a period':
      effective.periods
        .map(({ stakeMinor, hours, rung: level }) => `${dollars(stakeMinor)} in ${hours} h (${level})`)
        .join(', ') || 'no limit',
    ...(account.note === null ? {} : { note: account.note }),
  };
}

function describeLevel({ maxWagerMinor, periodStakeMinor, periodHours }: CustomerLimits['operator']): string {
  const parts = [
    ...(maxWagerMinor === null ? [] : [`${dollars(maxWagerMinor)} a wager`]),
    ...(periodStakeMinor === null ? [] : [`${dollars(periodStakeMinor)} in ${periodHours} h`]),
  ];
  return parts.join(', ') || 'nothing set';
}

function dollars(minor: number | null): string {
  return minor === null ? '-' : `${(minor / 100).toFixed(2)} USD`;
}

export function placeFacts(assertion: JurisdictionAssertion): Record<string, string | null> {
  const { jurisdiction, mismatch } = assertion;
  const place = jurisdiction && [jurisdiction.country, jurisdiction.subdivision].filter(Boolean).join('-');
  return {
    userId: assertion.userId,
    asserted: place === null ? null : `${place} (${assertion.assertedSource}, ${assertion.assertedAt})`,
    observed: assertion.observedCountry === null ? null : `${assertion.observedCountry} (${assertion.observedAt})`,
    mismatch: mismatch === null ? null : mismatch ? 'yes' : 'no',
  };
}
