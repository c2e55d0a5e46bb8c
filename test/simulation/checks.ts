/** Holds what one seed booked against what truly happened at its exchanges, and has the books looked over by both auditors. */
import assert from 'node:assert/strict';
import type { Sql } from '../../src/db/client.ts';
import { liveBuyTotals } from '../../src/money/live.ts';
import { runReport } from '../../src/reconciliation/report/run-report.ts';
import { audit } from '../support/audit.ts';
import type { Exchange } from './exchange.ts';
import { filledQuantity } from './true-order.ts';

interface BookedOrder {
  readonly our_id: string;
  readonly sent_to: string;
  readonly order_id: string;
  readonly status: string;
  readonly action: 'buy' | 'sell';
  readonly filled_quantity: bigint;
  readonly trade_minor: bigint;
  readonly venue_fee_minor: bigint;
  readonly platform_fee_minor: bigint;
  readonly authorization_minor: bigint;
  readonly quoted_fee_minor: bigint;
  readonly quoted_trade_minor: bigint;
}

/** @throws AssertionError naming what does not agree. */
export async function checkBooks(
  sql: Sql,
  operatorId: string,
  exchanges: readonly Exchange[],
  failedOver: boolean,
): Promise<void> {
  await checkAgainstExchanges(sql, operatorId, exchanges, failedOver);
  assert.deepEqual(await audit(sql, operatorId), [], 'the auditor');
  const denied = await sql`
    select order_id from feed_items
    where operator_id = ${operatorId} and type = 'position.exited' and detail ->> 'venueAgrees' = 'false'`;
  assert.deepEqual([...denied], [], 'exits that the exchange reports otherwise');
  const { findings } = await runReport(sql, operatorId);
  // after a fail-over the books say themselves what the account at the exchange holds beyond them
  const serious = findings.filter(
    ({ severity, check }) => severity === 'critical' && !(failedOver && check === 'venue_agreement'),
  );
  assert.deepEqual(serious, [], 'the report');
  if (!failedOver) {
    const unknown = await sql`select venue, kind, subject, raw from venue_findings where cleared_at is null`;
    assert.deepEqual([...unknown], [], 'what exchanges report and the books do not know');
  }
}

async function checkAgainstExchanges(
  sql: Sql,
  operatorId: string,
  exchanges: readonly Exchange[],
  failedOver: boolean,
): Promise<void> {
  if (!failedOver) {
    for (const [ourId, sends] of exchanges.flatMap((exchange) => [...exchange.sends])) {
      assert.equal(sends.size, 1, `${ourId} was sent ${sends.size} times`);
    }
  }
  const rows = await sql<BookedOrder[]>`
    select t.our_id, t.venue as sent_to, r.* from transmissions t join orders r using (operator_id, order_id) where operator_id = ${operatorId}`;
  const places = new Map(exchanges.flatMap(({ name, taken }) => [...taken.keys()].map((ourId) => [ourId, name])));
  const truths = new Map(exchanges.flatMap((exchange) => [...exchange.truths]));
  assert.equal(
    truths.size,
    exchanges.reduce((sum, { taken }) => sum + taken.size, 0),
    'an order is at one exchange',
  );
  for (const row of rows) {
    const truth = truths.get(row.our_id);
    const where = `${row.order_id} (${row.status}, ${row.our_id})`;
    assert.equal(row.filled_quantity, truth === undefined ? 0n : filledQuantity(truth), `filled quantity of ${where}`);
    assert.equal(places.get(row.our_id) ?? row.sent_to, row.sent_to, `exchange of ${where}`);
    if (truth === undefined) {
      assert.equal(row.status, 'rejected', where);
    } else if (row.action === 'buy') {
      checkMoney(row, where, truth);
    }
  }
  const booked = new Set(rows.map((row) => row.our_id));
  assert.equal(booked.size, rows.length, 'an id at the exchange belongs to one order');
  const found = await sql<{ subject: string }[]>`select subject from venue_findings where cleared_at is null`;
  const known = new Set(found.map(({ subject }) => subject));
  for (const [ourId, truth] of truths) {
    const told = booked.has(ourId) || truth.fills.length === 0 || (failedOver && known.has(ourId));
    assert.ok(told, `${ourId} filled and nobody knows of it`);
  }
}

function checkMoney(row: BookedOrder, where: string, truth: { readonly fills: readonly TrueMoney[] }): void {
  const fills = truth.fills.map(({ price, quantity, fee }) => ({
    priceMicros: price,
    quantityMicros: quantity,
    feeMicros: fee,
  }));
  const sums = liveBuyTotals(fills, {
    authorizationMinor: row.authorization_minor,
    platformFeeMinor: row.quoted_fee_minor,
    tradeMinor: row.quoted_trade_minor,
  });
  assert.deepEqual(
    [row.trade_minor, row.venue_fee_minor, row.platform_fee_minor],
    [sums.tradeMinor, sums.venueFeeMinor, sums.platformFeeMinor],
    `money of ${where}`,
  );
}

interface TrueMoney {
  readonly price: bigint;
  readonly quantity: bigint;
  readonly fee: bigint | null;
}
