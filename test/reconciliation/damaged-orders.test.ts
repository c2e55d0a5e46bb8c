/** Damage to positions, exposures, orders and attempts, by a role of the service or by the owner of the tables: the report names each. */
import { test } from 'vitest';
import { type Damage, expectFinding, openDamagedBooks } from './damaged-books.ts';

openDamagedBooks();

const DAMAGES: readonly Damage[] = [
  [
    'one stray micro-contract held back',
    'service',
    "update positions set held_quantity_micros = 1 where position_id = ':position'",
    'position_quantity',
    ':position',
  ],
  [
    'contracts that no fill brought to a position',
    'service',
    "update positions set quantity_micros = quantity_micros + 1000000 where position_id = ':position'",
    'position_quantity',
    ':position',
  ],
  [
    'a cost that was not paid',
    'service',
    "update positions set cost_basis_minor = cost_basis_minor + 1 where position_id = ':position'",
    'position_cost',
    ':position',
  ],
  [
    'an exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = 'dan'",
    'exposure',
    'dan',
    { subjectType: 'user' },
  ],
  [
    'an operator’s exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = ''",
    'exposure',
    ':live',
  ],
  [
    'the exposure of a customer who holds nothing',
    'service',
    "insert into exposures values (':op', 'nobody', 123456)",
    'exposure',
    'nobody',
    { subjectType: 'user' },
  ],
  [
    'contracts that are at no venue',
    'service',
    "update position_holdings set quantity_micros = quantity_micros - 1 where operator_id = ':live'",
    'position_holdings',
    ':live_position',
  ],
  [
    'a position left open after its contract resolved',
    'service',
    openAfterResolution('20 minutes'),
    'settlement_due',
    ':position',
    { severity: 'warning' },
  ],
  ['a position left open for a day', 'service', openAfterResolution('25 hours'), 'settlement_due', ':position'],
  [
    'the authorization of a cancelled order raised, and its release with it',
    'service',
    "update orders set authorization_minor = authorization_minor + 100 where order_id = ':cancelled'",
    'order_terms',
    ':cancelled',
  ],
  [
    'an order that still holds money and says that it was cancelled',
    'owner',
    "update orders set status = 'cancelled' where order_id = ':intent'",
    'order_terms',
    ':intent',
  ],
  [
    'an order that may be at a venue for 20 minutes',
    'owner',
    unknownFor('20 minutes'),
    'order_unresolved',
    ':intent',
    { severity: 'warning' },
  ],
  ['an order that may be at a venue for 25 hours', 'owner', unknownFor('25 hours'), 'order_unresolved', ':intent'],
  [
    'a trade amount that its fills do not make',
    'owner',
    "update orders set trade_minor = trade_minor - 1 where order_id = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'a fee and a trade amount that the price does not give',
    'owner',
    "update orders set trade_minor = trade_minor - 1, platform_fee_minor = platform_fee_minor + 1 where order_id = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'a micro-contract more than the fills of an order',
    'owner',
    "update orders set filled_quantity_micros = filled_quantity_micros + 1 where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'an order with another price than its quote',
    'service',
    "update orders set price_micros = price_micros - 1 where order_id = ':bought'",
    'order_terms',
    ':bought',
  ],
  [
    'an order of more contracts than its quote',
    'service',
    "update orders set quoted_quantity_micros = quoted_quantity_micros + 1 where order_id = ':sold'",
    'order_terms',
    ':sold',
  ],
  [
    'a live buy that was charged a cent more than its fills cost',
    'service',
    "update orders set trade_minor = trade_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_buy'",
    'order_money',
    ':live_buy',
  ],
  [
    'a live sell with another fee',
    'service',
    "update orders set platform_fee_minor = platform_fee_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
  ],
  [
    'a live sell with another notional',
    'service',
    "update orders set trade_minor = trade_minor + 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
  ],
  [
    'an attempt that asked for more',
    'service',
    "update transmissions set quantity_micros = quantity_micros * 10 where order_id = ':live_buy'",
    'order_fills',
    ':live_buy',
  ],
  [
    'an attempt with a better limit',
    'service',
    "update transmissions set limit_price_micros = limit_price_micros + 1 where order_id = ':live_buy'",
    'order_fills',
    ':live_buy',
  ],
  [
    'an attempt that the venue refuses earlier',
    'service',
    "update transmissions set expires_at = expires_at - interval '20 seconds' where order_id = ':live_buy'",
    'order_fills',
    ':live_buy',
  ],
  [
    'an attempt under another id of ours',
    'service',
    "update transmissions set our_id = 'att_other' where order_id = ':live_sell'",
    'order_fills',
    ':live_sell',
  ],
  [
    'a live order that was never sent',
    'owner',
    "delete from transmissions where order_id = ':live_buy'",
    'order_fills',
    ':live_buy',
  ],
  [
    'an order that is final and not resolved',
    'owner',
    "update orders set transmission_state = 'unknown' where order_id = ':bought'",
    'order_terms',
    ':bought',
  ],
  [
    'an order that was withdrawn although it may be at a venue',
    'owner',
    `alter table orders drop constraint orders_withdrawn_unsent;
     update orders set transmission_state = 'unknown' where order_id = ':cancelled'`,
    'order_terms',
    ':cancelled',
  ],
  [
    'prices that are not those of the fills are named as prices',
    'owner',
    "update orders set price_weight = price_weight + 1 where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'a quantity that the prices do not divide by',
    'owner',
    "update orders set filled_quantity_micros = filled_quantity_micros + 1000000 where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'a quantity that the position does not have, at a price that divides',
    'owner',
    `update orders set price_weight = price_weight / filled_quantity_micros * (filled_quantity_micros + 1000000),
       filled_quantity_micros = filled_quantity_micros + 1000000 where order_id = ':bought'`,
    'order_fills',
    ':bought',
  ],
  [
    'a position’s cost raised together with its profit and its entry fees',
    'service',
    `update positions set cost_basis_minor = cost_basis_minor + 100000, realised_pnl_minor = realised_pnl_minor + 100000,
       entry_fees_minor = entry_fees_minor + 100000 where position_id = ':position'`,
    'position_cost',
    ':position',
  ],
  [
    'contracts, weight and position of an order doubled',
    'owner',
    `update orders set filled_quantity_micros = filled_quantity_micros * 2, price_weight = price_weight * 2 where order_id = ':bought';
update positions set quantity_micros = quantity_micros * 2 where position_id = ':position'`,
    'order_fills',
    ':bought',
  ],
  [
    'a closed period that is opened again',
    'service',
    "update operator_ledgers set closed_until = null where operator_id = ':op'",
    'closed_period',
    '1',
  ],
  [
    'a period that nobody closed',
    'service',
    `insert into accounting_periods (operator_id, number, starts_at, ends_at, through_position, closed_by, closed_at)
       values (':op', 900, now() - interval '2 days', now() - interval '1 day', 1, 'x', now())`,
    'closed_period',
    '900',
  ],
  [
    'an intent moved out of its period window',
    'service',
    "update orders set created_at = created_at - interval '2 days' where order_id = ':intent'",
    'period_window',
    ':intent',
  ],
  [
    'the position of an order',
    'service',
    "update orders set position_id = 'pos_other' where order_id = ':bought'",
    'order_terms',
    ':bought',
  ],
  [
    'the client order id of an intent',
    'service',
    "update orders set client_order_id = 'another' where order_id = ':intent'",
    'order_terms',
    ':intent',
  ],
  ...['price_weight', 'average_price_micros', 'entry_fees_minor', 'realised_pnl_minor'].map(
    (column): Damage => [
      `the column ${column} of a position`,
      'service',
      `update positions set ${column} = ${column} + 1 where position_id = ':position'`,
      'position_cost',
      ':position',
    ],
  ),
  [
    'when a position was opened',
    'service',
    "update positions set opened_at = opened_at + interval '1 day' where position_id = ':position'",
    'position_quantity',
    ':position',
  ],
];

function unknownFor(age: string): string {
  return `update orders set status = 'submitted', transmission_state = 'unknown', transmitted_at = now() - interval '${age}' where order_id = ':intent'`;
}

function openAfterResolution(age: string): string {
  return `insert into contract_resolutions (contract_id, version, resolution, source, applied, occurred_at, recorded_at)
    values (':contract', 999, 'YES', 'operator', true, now(), now() - interval '${age}');
update contracts set status = 'resolved', resolution = 'YES', resolved_at = now(), resolved_by = 'operator' where contract_id = ':contract';
update positions set opened_at = opened_at - interval '2 days' where position_id = ':position'`;
}

// contract 22.9, contract 22.10, contract 22.13
test.for(DAMAGES)('%s (%s)', (damage) => expectFinding(damage));
