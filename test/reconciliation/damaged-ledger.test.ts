/** Rows of the journal that the service never wrote, and damage to wallets, statements and settlements: the report names each. */
import { expect, test } from 'vitest';
import { auditBoth, type Damage, expectFinding, findingsAfter, openDamagedBooks } from './damaged-books.ts';

openDamagedBooks();

/** Appended with the rights of the service's role, as its own code would. */
const post = (row: object, operator = ':op') =>
  `select append_to_journal('${operator}', array[json_populate_record(null::journal_row, '${JSON.stringify({ operator_id: operator, items: 1, digits: '0'.repeat(32), ...row })}')])`;
const CREDIT = {
  kind: 'wallet_funded',
  external_user_id: 'ana',
  funds: 'wallet',
  available: -500_000,
  other_account: 'sandbox:float',
  other: 500_000,
  memo: 'x',
};

const DAMAGES: readonly Damage[] = [
  ['a second opening credit', 'service', post(CREDIT), 'wallet_balance', 'ana', { subjectType: 'user' }],
  [
    'test money for a deposit that nobody made',
    'service',
    post({ ...CREDIT, reference: 'dep_forged' }),
    'wallet_balance',
    'dep_forged',
  ],
  [
    'a row that takes more positions of the feed than it has items',
    'service',
    post({ ...CREDIT, reference: 'dep_forged', items: 5 }),
    'feed_gap',
    ':next',
    { detail: expect.stringContaining('takes 5 positions of the feed, but has 1 items') },
  ],
  [
    'contracts that no fill bought',
    'service',
    post({
      kind: 'contracts_bought',
      order_id: ':bought',
      external_user_id: 'ana',
      action: 'buy',
      funds: 'wallet',
      available: 700,
      stakes: -700,
    }),
    'order_money',
    ':bought',
    { detail: expect.stringContaining('its entries sum to') },
  ],
  [
    'an overrun that no fill cost',
    'service',
    post(
      { kind: 'overrun_posted', order_id: ':live_buy', other_account: 'overrun', other: 700, venue_fees: -700 },
      ':live',
    ),
    'order_money',
    ':live_buy',
  ],
  [
    'a release of what was not held',
    'service',
    post({
      kind: 'authorization_released',
      order_id: ':bought',
      external_user_id: 'cem',
      funds: 'wallet',
      available: -100,
      held: 100,
    }),
    'orphan_hold',
    ':bought',
  ],
  [
    'an order that goes from filled to submitted',
    'service',
    post({
      kind: 'order_sent',
      order_id: ':bought',
      status: 'submitted',
      from_status: 'filled',
      transmission_state: 'unknown',
    }),
    'order_terms',
    ':bought',
    { detail: 'A row of the kind order_sent cannot bring an order from filled to submitted.' },
  ],
  [
    'a row of an order that was never recorded',
    'service',
    post({
      kind: 'order_sent',
      order_id: 'ord_none',
      status: 'submitted',
      from_status: 'pending_venue_execution',
      transmission_state: 'unknown',
    }),
    'order_terms',
    'ord_none',
  ],
  [
    'a settlement that was paid twice',
    'service',
    post({
      kind: 'position_settled',
      position_id: ':settled_position',
      external_user_id: 'ben',
      funds: 'wallet',
      available: -700,
      result: 700,
      resolution: 'YES',
      outcome: 'won',
    }),
    'settlement_once',
    ':settled_position',
  ],
  [
    'a deposit of collateral that was not agreed outside',
    'service',
    post(
      {
        kind: 'collateral_moved',
        items: 2,
        funds: 'collateral',
        available: -500_000,
        other_account: 'deposits',
        other: 500_000,
        reference: 'forged',
      },
      ':live',
    ),
    'collateral_statement',
    'forged',
  ],
  [
    'a row that is gone before it was read',
    'owner',
    `${post(CREDIT)};
delete from journal where operator_id = ':op' and digits = '${'0'.repeat(32)}'`,
    'feed_gap',
    "select sequence::text as item_id from audit.progress where operator_id = ':op'",
  ],
  [
    'a row that is gone between two',
    'owner',
    `${post(CREDIT)};
${post({ ...CREDIT, digits: '1'.repeat(32), external_user_id: 'ben' })};
delete from journal where operator_id = ':op' and digits = '${'0'.repeat(32)}'`,
    'feed_gap',
    "select (sequence + 1)::text as item_id from audit.progress where operator_id = ':op'",
  ],
  [
    'a balance after a row',
    'owner',
    `${post({ kind: 'collateral_moved', items: 2, funds: 'collateral', available: -500, other_account: 'deposits', other: 500, reference: 'forged' }, ':live')};
update journal set other_after = other_after + 1 where operator_id = ':live' and digits = '${'0'.repeat(32)}'`,
    'account_balance',
    'deposits',
  ],
  [
    'a row that does not balance',
    'owner',
    `${post(CREDIT)};
alter table journal drop constraint debits_equal_credits;
update journal set other = other + 7 where operator_id = ':op' and digits = '${'0'.repeat(32)}'`,
    'trial_balance',
    `ent_${'0'.repeat(32)}`,
  ],
  [
    'a balance of the house',
    'service',
    "update operator_ledgers set stakes = stakes + 1 where operator_id = ':op'",
    'account_balance',
    'stakes',
  ],
  [
    'a wallet',
    'service',
    "update wallets set available = available - 100 where operator_id = ':op' and external_user_id = 'ana'",
    'account_balance',
    'wallet:ana',
  ],
  [
    'a wallet shows in the statement',
    'service',
    "update wallets set available = available - 100 where operator_id = ':op' and external_user_id = 'ana'",
    'cash_statement',
    ':op',
  ],
  [
    'a counter that ran ahead',
    'service',
    "update operator_ledgers set sequence = sequence + 3 where operator_id = ':op'",
    'feed_gap',
    "select sequence::text as item_id from operator_ledgers where operator_id = ':op'",
  ],
  [
    'a deposit whose record is gone',
    'owner',
    "delete from collateral_references where operator_id = ':live'",
    'collateral_statement',
    "select reference as item_id from collateral_references where operator_id = ':live'",
  ],
  [
    'settled as what the contract never was',
    'owner',
    "delete from contract_resolutions where contract_id = ':settled_contract'",
    'settlement_amount',
    ':settlement',
  ],
  [
    'settled as what the contract was not given',
    'owner',
    "update contract_resolutions set resolution = 'NO' where contract_id = ':settled_contract'",
    'settlement_amount',
    ':settlement',
  ],
];

// contract 22.2, contract 22.7
test('healthy to begin with', async () => {
  expect(await findingsAfter('service', 'select 1')).toEqual([]);
  expect(await auditBoth()).toEqual([]);
});

// contract 22.3, contract 22.8, contract 22.9, contract 22.11, contract 22.12, contract 22.15, contract 22.17, contract 22.18, contract 22.20
test.for(DAMAGES)('%s (%s)', (damage) => expectFinding(damage));
