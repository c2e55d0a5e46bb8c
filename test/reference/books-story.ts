/** An operator's books: the feed and its log, the report, collateral and exports. */
import { encodeRegisterCursor } from '../../src/core/cursor.ts';
import { signerFromSeed } from '../../src/core/log-format/notes.ts';
import { type LogSigner, loadLogSigner, rotateLogKey, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import type { AnyJson } from '../support/any-json.ts';
import { MARKETS } from './catalogue.ts';
import { PLAYER, traderOf } from './sandbox-story.ts';
import type { Stage } from './stage.ts';

/** The keys of the log, the first of which was replaced. */
export interface LogKeys {
  readonly first: LogSigner;
  readonly second: LogSigner;
}

export function logKeysOf({ service: { context } }: Stage): LogKeys {
  const first = loadLogSigner(context.environment, context.secrets);
  return { first, second: { ...signerFromSeed(Buffer.alloc(32, 'the second key of the log')), earlier: [first] } };
}

/** A small operator, so that a page has its whole feed and a reader can follow its log from the first item. @returns the feed at the end */
export async function tellLog(stage: Stage, { first, second }: LogKeys): Promise<readonly AnyJson[]> {
  const { recording, operator, service } = stage;
  const { keep } = recording;
  const small = await recording.meanwhile(() => operator('lucky-start'));
  const { operatorId } = small.operator;
  const by = { key: small.key };
  await keep('getFeedCheckpoint', 'Nothing was recorded yet', { by, refused: 'unknown_checkpoint' });
  await traderOf(recording, by, PLAYER, 1).order('The first order of an operator');
  const { items, nextCursor } = await keep('readReconciliationFeed', 'A first order, from the beginning', { by });
  await recording.meanwhile(() => sealFeeds(service.sql, first));
  await keep('getFeedCheckpoint', 'It covers the first order', { by });
  await keep('getFeedProof', 'An item is in the log', { by, query: { sequence: '2', size: String(items.length) } });
  await keep('listLogKeys', 'The log still has its first key', { by });
  await keep('readReconciliationFeed', 'Nothing new', { by, query: { cursor: nextCursor } });
  await keep('readReconciliationFeed', 'A cursor beyond the last item', {
    by,
    query: { cursor: encodeRegisterCursor(`feed:${operatorId}`, { sequence: 4_711n, epoch: 1 }) },
    refused: 'cursor_ahead',
  });
  await keep('readReconciliationFeed', 'A type that does not exist', {
    by,
    query: { type: 'order.placed' },
    refused: 'invalid_type',
  });

  const { depositId } = await recording.ask('createDepositAddress', {
    by,
    user: PLAYER,
    body: { symbol: 'USDC', chainId: 1 },
  });
  for (let poll = 0; poll < 2; poll += 1) {
    await recording.ask('getDeposit', { by, path: { id: depositId } });
  }
  await recording.meanwhile(async () => {
    await rotateLogKey(service.sql, operatorId, second);
    await sealFeeds(service.sql, second);
  });
  const { items: whole } = await recording.ask('readReconciliationFeed', { by, query: { limit: '500' } });
  await keep('listLogKeys', 'The key was changed once', { by });
  await keep('getFeedCheckpoint', 'After a deposit, signed with the new key', { by });
  await keep('getFeedProof', 'The log continues an earlier one', {
    by,
    query: { from: String(items.length), size: String(whole.length) },
  });
  await keep('getFeedProof', 'A size that was not signed yet', {
    by,
    query: { sequence: '1', size: '4711' },
    refused: 'unknown_checkpoint',
  });
  await keep('getReconciliationReport', 'All is well', { by });
  return whole;
}

export async function tellBooks(stage: Stage): Promise<void> {
  const { recording, live, casino } = stage;
  const { keep } = recording;
  const by = { key: live.key };
  const page = async (summary: string, type: string, sender = by) =>
    keep('readReconciliationFeed', summary, { by: sender, query: { type, limit: '3' } });
  await page('Changes of orders', 'order.state_changed');
  await page('Movements of collateral', 'collateral.moved');
  await page('Fees', 'fee.assessed');
  await page('Exits', 'position.exited');
  await page('Settlements', 'position.settled');
  await page('Events that were queued', 'webhook.emitted');
  await page('Double entries of test wallets', 'ledger.posted', { key: casino.key });
  await keep('readReconciliationFeed', 'The last items, to begin from now', { by, query: { last: '2' } });
  await keep('getCollateral', 'With the last movements', { by, query: { limit: '4' } });
  const exported = (summary: string, query: Record<string, string>) =>
    keep('exportReconciliation', summary, { by, query });
  await exported('Settlements as CSV', { kind: 'settlements' });
  await exported('Settlements as JSON lines', { kind: 'settlements', format: 'jsonl' });
  await exported('Settlements as JSON', { kind: 'settlements', format: 'json' });
}

/** The auditor finds a change that the service did not make. */
export async function tellDamage({ recording, operator, service }: Stage): Promise<void> {
  const damaged = await recording.meanwhile(() => operator('lucky-damaged'));
  const by = { key: damaged.key };
  await traderOf(recording, by, PLAYER, 1).order(
    'Before the books were changed',
    {},
    { marketId: MARKETS.away.contractId },
  );
  await recording.meanwhile(() =>
    service.damage(
      `update positions set cost_basis_minor = cost_basis_minor + 100 where operator_id = '${damaged.operator.operatorId}'`,
    ),
  );
  await recording.keep('getReconciliationReport', 'A finding that needs a person', { by });
}
