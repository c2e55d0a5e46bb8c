/** Damage to what the feed says of money and states, and what the report finds of evidence and deliveries. */
import { expect, test } from 'vitest';
import { followingAsRows } from '../support/item-rows.ts';
import { type Damage, expectFindings, findingsAfter, known } from './damaged-books.ts';

const money = (type: string, from: string, to: string, operator = ':op') =>
  `update feed_item_rows set money = regexp_replace(money::text, '${from}', '${to}')::json where operator_id = '${operator}' and position =
    (select max(position) from feed_items where operator_id = '${operator}' and type = '${type}' and money::text ~ '${from}')`;
/** Of an item that is inside a row. */
const moneyInside = (type: string, from: string, to: string) =>
  `update feed_item_rows set following = regexp_replace(following, '(\\n' || following_kind('${type}') || '[^\\n]*)${from}', '\\1${to}')
    where operator_id = ':op' and position = (select max(head) from following_items where operator_id = ':op' and type = '${type}')`;
const changedItem = (type: string, operator: string) =>
  `select item_id from feed_items where operator_id = '${operator}' and type = '${type}'`;

const DAMAGES: readonly Damage[] = [
  [
    'money of a settlement’s item rewritten',
    'owner',
    `update feed_item_rows set detail = regexp_replace(detail::text, ' [1-9][0-9.]+ 0.00 (ctr_[^ ]+ ")', ' 0.00 0.00 \\1')::json
      where (operator_id, position) = (select operator_id, feed_position from settlements where settlement_id = ':settlement')`,
    'settlement_amount',
    ':settlement',
  ],
  [
    'money of an order’s item rewritten',
    'owner',
    [
      ...followingAsRows("operator_id = ':op'"),
      money(
        'order.state_changed',
        '"actualDebit":"10.00","releaseAmount":"0.00"',
        '"actualDebit":"9.00","releaseAmount":"1.00"',
      ),
    ].join(';\n'),
    'order_money',
    changedItem('order.state_changed', ':op'),
  ],
  [
    'authorization of an order’s first item rewritten',
    'owner',
    money(
      'order.state_changed',
      '"authorizationAmount":"10.00","actualDebit":"0.00","releaseAmount":"10.00"',
      '"authorizationAmount":"9.00","actualDebit":"0.00","releaseAmount":"9.00"',
    ),
    'order_money',
    changedItem('order.state_changed', ':op'),
  ],
  [
    'money of a fee’s item rewritten',
    'owner',
    moneyInside('fee.assessed', '"amount":"[0-9.]+"', '"amount":"9.00"'),
    'order_money',
    `select order_id as item_id from feed_items where operator_id = ':op' and type = 'fee.assessed' order by position desc limit 1`,
  ],
  [
    'money of an exit’s item rewritten',
    'owner',
    moneyInside('position.exited', '"sellProceeds":"[0-9.]+"', '"sellProceeds":"9.00"'),
    'order_money',
    ':sold',
  ],
  [
    'money of a collateral item rewritten',
    'owner',
    money('collateral.moved', '"amount" : "[0-9.]+"', '"amount" : "9.00"', ':live'),
    'collateral_statement',
    changedItem('collateral.moved', ':live'),
  ],
  [
    'balance of a collateral item rewritten',
    'owner',
    money('collateral.moved', '"balanceAfter" : "[0-9.]+"', '"balanceAfter" : "9.00"', ':live'),
    'collateral_statement',
    changedItem('collateral.moved', ':live'),
  ],
  [
    'an item that says another state than the order has',
    'owner',
    `update feed_item_rows set detail = replace(detail::text, '"filled"', '"rejected"')::json where order_id = ':bought' and type = 'order.state_changed'`,
    'order_money',
    `${changedItem('order.state_changed', ':op')} and order_id = ':bought'`,
  ],
];

expectFindings(DAMAGES);

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
        'A person recorded what the venue said about the order: the venue support wrote that 5 contracts were filled, 80.99 contracts, price $0.57, fee $0.12.',
      ],
    ]),
  );
  expect(JSON.stringify(found)).not.toMatch(/kalshi|KXBTC/i);
});

test('exhausted deliveries are a finding until they are replayed or their endpoint is removed', async () => {
  const endpoint = `insert into webhook_endpoints (operator_id, endpoint_id, number, url, host, events, active, disabled_reason, secret_sealed, registered_at, updated_at)
    values (':op', 'whe_dead', 1, 'https://example.com', 'example.com', '{order.filled}', false, 'gone', 'x', now(), now())`;
  const given = `insert into webhook_deliveries (operator_id, delivery_id, endpoint_id, event_id, type, status, finished_at)
    select ':op', 'dlv_' || n, 'whe_dead', 'evn_' || n, 'order.filled', 'exhausted', now() from generate_series(1, 3) n`;
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
