/** Damage to positions, exposures, orders, quotes and fills, by a role of the service or by the owner of the tables: the report names each. */
import { fillsAsRows } from '../support/fill-rows.ts';
import { type Damage, expectFindings } from './damaged-books.ts';

/** Of an order whose fill is a row of its own, as those of orders at venues are. */
const withRow = (damage: string) => [...fillsAsRows("order_id = ':bought'"), damage].join(';\n');

const DAMAGES: readonly Damage[] = [
  [
    'one stray micro-contract held back',
    'service',
    "update positions set held_quantity = 1 where position_id = ':position'",
    'position_quantity',
    ':position',
  ],
  [
    'an exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = 'dan'",
    'position_cost',
    'dan',
  ],
  [
    'an operator’s exposure that was invented',
    'service',
    "update exposures set exposure_minor = exposure_minor + 123456 where operator_id = ':live' and external_user_id = ''",
    'position_cost',
    ':live',
  ],
  [
    'the exposure of a customer who holds nothing',
    'service',
    "insert into exposures values (':op', 'nobody', 123456)",
    'position_cost',
    'nobody',
  ],
  [
    'contracts that are at no venue',
    'service',
    "update position_holdings set quantity = quantity - 1 where operator_id = ':live'",
    'position_quantity',
    ':live_position',
  ],
  [
    'a position left open after its contract resolved',
    'service',
    openAfterResolution('20 minutes'),
    'settlement_once',
    ':position',
    { severity: 'warning' },
  ],
  ['a position left open for a day', 'service', openAfterResolution('25 hours'), 'settlement_once', ':position'],
  [
    'the authorization and the release of a cancelled order raised together',
    'service',
    "update orders set authorization_minor = authorization_minor + 100, release_minor = release_minor + 100 where order_id = ':cancelled'",
    'order_money',
    ':cancelled',
    { detail: 'The authorization is 11.00, its quote’s 10.00.' },
  ],
  [
    'an order with another price than its quote',
    'service',
    "update orders set price_micros = price_micros - 1 where order_id = ':bought'",
    'order_money',
    ':bought',
  ],
  [
    'an order of more contracts than its quote',
    'service',
    "update orders set quoted_quantity = quoted_quantity + 1 where order_id = ':sold'",
    'order_money',
    ':sold',
  ],
  [
    'a quote that was changed after it was accepted',
    'owner',
    "update quotes set fee_bps = fee_bps + 1 where quote_id = (select quote_id from orders where order_id = ':bought')",
    'order_money',
    ':bought',
  ],
  [
    'a quote that is gone',
    'owner',
    "delete from quotes where quote_id = (select quote_id from orders where order_id = ':bought')",
    'order_money',
    ':bought',
  ],
  [
    'a quote that another order spent',
    'owner',
    `insert into kept_quotes select q.*, 'ord_other' from quotes q where quote_id = (select quote_id from orders where order_id = ':bought')`,
    'order_money',
    ':bought',
  ],
  [
    'a live buy that was charged a cent more than its fills cost',
    'service',
    "update orders set trade_minor = trade_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_buy'",
    'order_money',
    ':live_buy',
    { detail: 'The trade amount is not what the contracts cost.' },
  ],
  [
    'a live buy with another venue fee than its fills',
    'service',
    "update fill_rows set fee_micros = fee_micros - 20000 where order_id = ':live_buy'",
    'order_money',
    ':live_buy',
    { detail: 'The venue fee is not what its fills were charged.' },
  ],
  [
    'a live sell with another fee',
    'service',
    "update orders set platform_fee_minor = platform_fee_minor + 1, venue_fee_minor = venue_fee_minor - 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
    { detail: 'The venue fee is not what its fills were charged.' },
  ],
  [
    'a live sell with another notional',
    'service',
    "update orders set trade_minor = trade_minor + 1, proceeds_minor = proceeds_minor + 1 where order_id = ':live_sell'",
    'order_money',
    ':live_sell',
    { detail: 'The notional is not what the contracts brought.' },
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
    'order_unresolved',
    ':bought',
  ],
  [
    'an order that was withdrawn although it may be at a venue',
    'owner',
    `alter table orders drop constraint orders_withdrawn_unsent;
     update orders set transmission_state = 'unknown' where order_id = ':cancelled'`,
    'order_unresolved',
    ':cancelled',
  ],
  [
    'prices that are not those of the fills are named as prices',
    'owner',
    "update orders set price_weight = price_weight + 1 where order_id = ':bought'",
    'order_fills',
    ':bought',
    { detail: 'The prices of the order are not those of its fills.' },
  ],
  [
    'prices that are not those of a row are named as prices',
    'owner',
    withRow("update orders set price_weight = price_weight + 1 where order_id = ':bought'"),
    'order_fills',
    ':bought',
    { detail: 'The prices of the order are not those of its fills.' },
  ],
  [
    'a quantity that is not that of the fills is named with both',
    'owner',
    withRow("update orders set filled_quantity = filled_quantity + 1000000 where order_id = ':bought'"),
    'order_fills',
    ':bought',
    { detail: 'The order has 18.192982 contracts, its fills 17.192982.' },
  ],
  [
    'a quantity that the prices do not divide by',
    'owner',
    "update orders set filled_quantity = filled_quantity + 1000000 where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'a quantity that the position does not have, at a price that divides',
    'owner',
    `update orders set price_weight = price_weight / filled_quantity * (filled_quantity + 1000000),
       filled_quantity = filled_quantity + 1000000 where order_id = ':bought'`,
    'position_quantity',
    ':position',
  ],
  [
    'a fill that was taken out of its order',
    'owner',
    "update orders set filled_at_once = false where order_id = ':bought'",
    'order_fills',
    ':bought',
  ],
  [
    'a second fill beside that of the order',
    'service',
    "insert into fill_rows values (':op', ':bought', 2, 'fil_other', 1000000, 570000, 0, null, now())",
    'order_fills',
    ':bought',
  ],
  [
    'a fill that was taken out',
    'owner',
    withRow("delete from fill_rows where order_id = ':bought'"),
    'order_fills',
    ':bought',
  ],
  [
    'fills that are numbered with a gap',
    'owner',
    withRow("update fill_rows set fill_no = 2 where order_id = ':bought'"),
    'order_fills',
    ':bought',
  ],
];

function openAfterResolution(age: string): string {
  return `insert into contract_resolutions (contract_id, version, resolution, source, applied, occurred_at, recorded_at)
    values (':contract', 999, 'YES', 'operator', true, now(), now() - interval '${age}');
update contracts set status = 'resolved', resolution = 'YES', resolved_at = now(), resolved_by = 'operator' where contract_id = ':contract';
update positions set opened_at = opened_at - interval '2 days' where position_id = ':position'`;
}

expectFindings(DAMAGES);
