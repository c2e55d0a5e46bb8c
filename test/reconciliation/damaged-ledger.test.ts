/** Damage to wallets, statements, collateral and settlements, by a role of the service or by the owner of the tables: the report names each. */
import { expect, test } from 'vitest';
import { runReportSince } from '../../src/reconciliation/report/run-report.ts';
import { auditBoth, type Damage, expectFindings, findingsAfter } from './damaged-books.ts';

const post = (lines: string, movement: string, reference: string) => `
  select record_facts(array[one_fact(1, ':op', 'ledger.posted', 'ent_forged', null, null, '${reference}', null,
    '{"movementType":"${movement}","memo":"x","referenceType":"order","referenceId":"${reference}","correctsEntryId":null}',
    '${lines}', null)])`;
const CORRECTION = `ent_${'c'.repeat(32)}`;
const CORRECT = `select * from correct_entry(':op', ':entry', '${CORRECTION}', 'CORRECTION')`;
const UNAGREED_DEPOSIT = `select record_facts(array[one_fact(1, ':live', 'ledger.posted', 'ent_forged', null, null, null, null,
    '{"movementType":"COLLATERAL_DEPOSIT","memo":"x","referenceType":"operator","referenceId":":live","correctsEntryId":null}',
    '[["deposits",500000],["collateral:available",-500000]]', null),
    one_fact(2, ':live', 'collateral.moved', 'mov_forged', null, null, null, '{"currency":"USD","amount":"5000.00"}',
      '{"kind":"deposit","memo":"x","ledgerEntryId":"ent_forged"}', null, null)])`;

const DAMAGES: readonly Damage[] = [
  [
    'a second opening credit',
    'service',
    "select credit_wallets('{:op}', '{ana}', '{500000}', 'Opening test funds')",
    'wallet_balance',
    'ana',
  ],
  [
    'a second opening credit shows in the statement',
    'service',
    "select credit_wallets('{:op}', '{ana}', '{500000}', 'Opening test funds')",
    'cash_statement',
    ':op',
  ],
  [
    'test money that nobody was given',
    'service',
    "select credit_wallets('{:op}', '{ana}', '{500000}', 'Opening test funds')",
    'cash_statement',
    'sandbox:float',
  ],
  ['a correction is no reason for a wallet', 'service', CORRECT, 'wallet_balance', 'ana'],
  ['a correction is no reason for a statement', 'service', CORRECT, 'cash_statement', ':op'],
  ['each correction is a finding', 'service', CORRECT, 'account_balance', CORRECTION, { severity: 'info' }],
  [
    'a wallet that pays another',
    'service',
    post('[["wallet:ben",700],["wallet:ana",-700]]', 'ORDER_RELEASE', 'x'),
    'wallet_balance',
    'ben',
  ],
  [
    'an account that nothing books on',
    'service',
    post('[["result",700],["elsewhere",-700]]', 'POSITION_EXIT', 'x'),
    'account_balance',
    'elsewhere',
  ],
  [
    'a result that no fact leaves',
    'service',
    post('[["result",700],["elsewhere",-700]]', 'POSITION_EXIT', 'x'),
    'account_balance',
    'result',
  ],
  [
    'fees that no order paid',
    'service',
    post('[["result",700],["fees:platform",-700]]', 'ORDER_FILL', 'x'),
    'order_money',
    'fees:platform',
  ],
  [
    'an overrun that no fill cost',
    'service',
    post('[["overrun",700],["fees:venue",-700]]', 'VENUE_OVERRUN', 'x'),
    'order_money',
    'overrun',
  ],
  ['a deposit of collateral that was not agreed outside', 'service', UNAGREED_DEPOSIT, 'collateral_statement', ':live'],
  ['the item of such a deposit', 'service', UNAGREED_DEPOSIT, 'collateral_statement', 'mov_forged'],
  [
    'a deposit whose record is gone',
    'owner',
    "delete from collateral_movements where operator_id = ':live'",
    'collateral_statement',
    'deposits',
  ],
  [
    'settled as what the contract never was',
    'owner',
    "delete from contract_resolutions where contract_id = ':settled_contract'",
    'settlement_amount',
    ':settlement',
  ],
  [
    'settled NO, with the money of NO, where the contract is YES',
    'owner',
    `update settlements set resolution = 'NO', outcome = 'lost', settlement_credit_minor = 0, realised_pnl_minor = -cost_basis_minor,
       lifetime_realised_pnl_minor = -cost_basis_minor where settlement_id = ':settlement';
update positions set realised_pnl_minor = (select lifetime_realised_pnl_minor from settlements where settlement_id = ':settlement') where position_id = ':settled_position'`,
    'settlement_amount',
    ':settlement',
  ],
  [
    'settled on the side that was not held',
    'owner',
    "update settlements set side = 'NO', resolution = 'NO' where settlement_id = ':settlement'",
    'settlement_amount',
    ':settlement',
  ],
  [
    'a settlement moved forty days back',
    'owner',
    "update settlements set settled_at = settled_at - interval '40 days' where settlement_id = ':settlement'",
    'settlement_once',
    ':settlement',
  ],
];

test('healthy to begin with', async () => {
  expect(await findingsAfter('service', 'select 1')).toEqual([]);
  expect(await findingsAfter('service', 'select 1', runReportSince)).toEqual([]);
  expect(await auditBoth()).toEqual([]);
});

expectFindings(DAMAGES);

test('a correction that brings the ledger back to its facts leaves one finding, and the report is ok', async () => {
  const found = await findingsAfter(
    'service',
    `select credit_wallets('{:op}', '{ana}', '{700}', 'Given twice');
select correct_entry(':op', 'ent_' || replace(digits::text, '-', ''), '${CORRECTION}', 'Booked by mistake')
from journal where memo = 'Given twice'`,
  );
  expect(found).toEqual([
    expect.objectContaining({
      check: 'account_balance',
      severity: 'info',
      subjectType: 'record',
      subjectId: CORRECTION,
    }),
  ]);
});
