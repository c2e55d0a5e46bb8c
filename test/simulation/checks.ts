/** Holds what one seed booked against what truly happened at its exchanges, and has the books looked over by both auditors. */
import assert from 'node:assert/strict';
import type { Sql } from '../../src/db/client.ts';
import { liveBuyTotalsAfterEach } from '../../src/money/live.ts';
import { runReport } from '../../src/reconciliation/report.ts';
import { audit } from '../support/audit.ts';
import { readItems } from '../support/items.ts';
import type { Exchange } from './exchange.ts';
import { filledQuantity } from './true-order.ts';

interface BookedOrder {
  readonly ourId: string;
  readonly sentTo: string;
  readonly orderId: string;
  readonly status: string;
  readonly action: 'buy' | 'sell';
  readonly filledQuantityMicros: bigint;
  readonly tradeMinor: bigint;
  readonly venueFeeMinor: bigint;
  readonly platformFeeMinor: bigint;
  readonly authorizationMinor: bigint;
  readonly quotedFeeMinor: bigint;
  readonly quotedTradeMinor: bigint;
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
  const denied = (await readItems(sql, operatorId)).filter(
    ({ type, detail }) => type === 'position.exited' && detail.venueAgrees === false,
  );
  assert.deepEqual(
    denied.map(({ orderId }) => orderId),
    [],
    'exits that the exchange reports otherwise',
  );
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
    const truth = truths.get(row.ourId);
    const where = `${row.orderId} (${row.status}, ${row.ourId})`;
    assert.equal(
      row.filledQuantityMicros,
      truth === undefined ? 0n : filledQuantity(truth),
      `filled quantity of ${where}`,
    );
    assert.equal(places.get(row.ourId) ?? row.sentTo, row.sentTo, `exchange of ${where}`);
    if (truth === undefined) {
      assert.equal(row.status, 'rejected', where);
    } else if (row.action === 'buy') {
      checkMoney(row, where, truth);
    }
  }
  const booked = new Set(rows.map((row) => row.ourId));
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
  const sums = liveBuyTotalsAfterEach(fills, {
    authorizationMinor: row.authorizationMinor,
    platformFeeMinor: row.quotedFeeMinor,
    tradeMinor: row.quotedTradeMinor,
  }).at(-1);
  assert.deepEqual(
    [row.tradeMinor, row.venueFeeMinor, row.platformFeeMinor],
    [sums?.tradeMinor, sums?.venueFeeMinor, sums?.platformFeeMinor],
    `money of ${where}`,
  );
}

interface TrueMoney {
  readonly price: bigint;
  readonly quantity: bigint;
  readonly fee: bigint | null;
}
