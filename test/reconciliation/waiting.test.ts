/** What the report finds of evidence, of deliveries and of the log, which are no part of the books, and how much of a check it shows. */
import { expect, test } from 'vitest';
import { findingsAfter, known, openDamagedBooks } from './damaged-books.ts';

openDamagedBooks();

test('a finding of venue evidence says what was said, and names no venue and no id of one', async () => {
  const evidence = (kind: string, raw: object) =>
    `insert into venue_evidence (operator_id, order_id, kind, raw) values (':live', ':live_buy', '${kind}', '${JSON.stringify(raw)}')`;
  const found = await findingsAfter(
    'service',
    [
      evidence('fee_changed', {
        fillId: 'f-kalshi-1',
        listingId: 'KXBTC-26NOV',
        feeMicros: '20000',
        priceMicros: '570000',
      }),
      evidence('person', {
        evidence: 'Kalshi support wrote that 5 contracts were filled',
        learned: { rejected: false, quantityMicros: '80990000', priceMicros: '570000', feeMinor: '12' },
      }),
    ].join(';\n'),
  );
  const details = found.map(({ check, subjectId, detail }) => [check, subjectId, detail]);
  expect(details).toEqual(
    expect.arrayContaining([
      [
        'venue_evidence',
        known['live_buy'],
        'The venue now reports another fee than the one that was booked: fee $0.02, price $0.57.',
      ],
      [
        'venue_evidence',
        known['live_buy'],
        'A support person recorded the outcome of the order at the venue: the venue support wrote that 5 contracts were filled, 80.99 contracts, price $0.57, fee $0.12.',
      ],
    ]),
  );
  expect(JSON.stringify(found)).not.toMatch(/kalshi|KXBTC/i);
});

// contract 22.14
test('evidence of a venue has its own severity and the order, and names no venue', async () => {
  const found = await findingsAfter(
    'service',
    `insert into venue_evidence (operator_id, order_id, kind, severity, raw) values (':op', ':bought', 'foreign_fill', 'warning', '{"venue":"paper"}')`,
  );
  const expected = { check: 'venue_evidence', severity: 'warning', subjectType: 'record', subjectId: known['bought'] };
  expect(found).toContainEqual(expect.objectContaining(expected));
  expect(JSON.stringify(found)).not.toContain('paper');
  expect(found.every(({ severity }) => severity !== 'critical')).toBe(true);
});

// contract 22.15
test('webhook_stuck: an event that was not queued for an hour', async () => {
  const found = await findingsAfter(
    'owner',
    `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, secret_sealed, registered_at, updated_at)
       values (':op', 'whe_new', 7, 'https://example.com', 'example.com', '{order.filled}', 'x', now(), now());
insert into webhook_subscriptions (operator_id, endpoint_id, type, from_at) values (':op', 'whe_new', 'order.filled', now());
update journal set recorded_at = recorded_at - interval '2 hours' where operator_id = ':op' and kind = 'order_executed'`,
  );
  const expected = { check: 'webhook_stuck', severity: 'warning', subjectType: 'record' };
  expect(found).toContainEqual(expect.objectContaining({ ...expected, subjectId: expect.stringMatching(/^evn_/) }));
});

// contract 22.15
test('webhook_stuck: deliveries that an endpoint has not acknowledged for an hour, one finding for the endpoint', async () => {
  const found = await findingsAfter(
    'owner',
    `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, recorded_at, type, created_at)
       select ':op', 'dlv_' || n, 'whe_slow', 'evn_' || n, n, now() - interval '2 hours', 'order.filled', now() - interval '2 hours' from generate_series(1, 3) n`,
  );
  const expected = { check: 'webhook_stuck', severity: 'warning', subjectType: 'record', subjectId: 'whe_slow' };
  expect(found).toEqual([expect.objectContaining({ ...expected, detail: expect.stringContaining('3 deliveries') })]);
});

test('log_behind: items of more than an hour ago that no checkpoint covers', async () => {
  const found = await findingsAfter(
    'owner',
    ['journal', 'operator_ledgers']
      .map((table) => `update ${table} set recorded_at = recorded_at - interval '2 hours' where operator_id = ':live'`)
      .join(';\n'),
  );
  expect(found).toContainEqual(expect.objectContaining({ check: 'log_behind', severity: 'warning', subjectId: '1' }));
});

test('exhausted deliveries are a finding until they are replayed or their endpoint is removed', async () => {
  const endpoint = `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, active, disabled_reason, secret_sealed, registered_at, updated_at)
    values (':op', 'whe_dead', 1, 'https://example.com', 'example.com', '{order.filled}', false, 'gone', 'x', now(), now())`;
  const given = `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, sequence, recorded_at, type, status, finished_at)
    select ':op', 'dlv_' || n, 'whe_dead', 'evn_' || n, n, now(), 'order.filled', 'exhausted', now() from generate_series(1, 3) n`;
  const found = await findingsAfter('service', `${endpoint};\n${given}`);
  expect(found).toEqual([
    expect.objectContaining({
      check: 'webhook_stuck',
      severity: 'warning',
      subjectId: 'whe_dead',
      detail: expect.stringMatching(/^3 deliveries .* given up/),
    }),
  ]);
  const removed = `update webhook_endpoints set removed_at = now(), disabled_reason = 'removed' where endpoint_id = 'whe_dead'`;
  expect(await findingsAfter('service', `${endpoint};\n${given};\n${removed}`)).toEqual([]);
});

test('webhook_due: an event that the relay has passed and that has no delivery an hour later', async () => {
  const subscribed = `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, active, disabled_reason, secret_sealed, registered_at, updated_at)
      values (':op', 'whe_due', 1, 'https://example.com', 'example.com', '{order.filled}', false, 'gone', 'x', now(), now());
    insert into webhook_subscriptions (operator_id, endpoint_id, type, from_at) values (':op', 'whe_due', 'order.filled', now() - interval '1 day');
    update webhook_relays set sequence = (select sequence from operator_ledgers where operator_id = ':op') where operator_id = ':op'`;
  const hourAgo = `update journal set recorded_at = recorded_at - interval '2 hours' where operator_id = ':op' and kind = 'order_executed'`;
  const found = await findingsAfter('owner', `${subscribed};\n${hourAgo}`);
  const due = { check: 'webhook_due', severity: 'critical', subjectId: expect.stringMatching(/^evn_/) };
  expect(found).toContainEqual(expect.objectContaining(due));
  // the relay makes no deliveries for an endpoint that was removed while events waited
  const removed = `update webhook_subscriptions set until_at = now() where endpoint_id = 'whe_due';
    update webhook_endpoints set removed_at = now(), disabled_reason = 'removed' where endpoint_id = 'whe_due'`;
  const later = await findingsAfter('owner', `${subscribed};\n${hourAgo};\n${removed}`);
  expect(later.filter(({ check }) => check === 'webhook_due')).toEqual([]);
});

// contract 22.22
test('of a check a hundred findings are shown, the newest first, and how many there are besides', async () => {
  const found = await findingsAfter(
    'owner',
    `insert into audit.findings (operator_id, sequence, check_name, severity, detail, subject_type, subject_id)
     select ':op', 1, 'order_terms', 'critical', 'seen', 'record', 'ord_' || n from generate_series(1, 137) n order by n;
     update orders set venue = 'x', fee_bps = fee_bps + 1 where operator_id = ':op'`,
  );
  const more = found.filter(({ detail }) => detail.endsWith('are not shown.'));
  const terms = found.filter(({ check, detail }) => check === 'order_terms' && !detail.endsWith('are not shown.'));
  expect(terms).toHaveLength(100);
  const differences = terms.filter(({ detail }) => detail !== 'seen').length;
  expect(terms.map(({ subjectId }) => subjectId)).toContain('ord_137');
  expect(differences).toBeGreaterThan(0);
  expect(more).toEqual([
    {
      check: 'order_terms',
      severity: 'critical',
      detail: `${37 + differences} more findings of this check are not shown.`,
      subjectType: 'record',
      subjectId: known['op'],
    },
  ]);
});

test('of a table with more differences than are shown, the newest are', async () => {
  const found = await findingsAfter(
    'owner',
    `insert into audit.deposits select ':op', 'dep_' || lpad(n::text, 4, '0'), 'ana', 100 from generate_series(1, 250) n`,
  );
  const gone = found.filter(({ check }) => check === 'wallet_balance');
  expect(gone.slice(0, 100).map(({ subjectId }) => subjectId)).toEqual(
    Array.from({ length: 100 }, (_, n) => `dep_0${250 - n}`),
  );
  expect(gone.slice(100).map(({ detail }) => detail)).toEqual(['150 more findings of this check are not shown.']);
});
