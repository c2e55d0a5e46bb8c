/** Row `ledger-post`: entries of four lines through the posting engine, 64 a call, against one INSERT with commit. */
import { createBatcher } from '../src/core/batcher.ts';
import { newDigits } from '../src/core/ids.ts';
import { connect } from '../src/db/client.ts';
import { JOURNAL_ENTRY } from '../src/ledger/journal-row.ts';
import { inserts } from './baselines.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { BenchOperator, World } from './world.ts';

const OPERATORS = 8;
const IN_FLIGHT = 64;
const WALLETS = 500;

export async function ledgerPost(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const operators = await world.createOperators('posting', OPERATORS, 0);
  const count = size(20_000, OPERATORS * IN_FLIGHT);
  const sql = connect(world.database.url, { max: OPERATORS, applicationName: 'inlay-bench' });

  async function post(): Promise<number> {
    const start = performance.now();
    await Promise.all(operators.map((operator) => postTo(operator, count / OPERATORS)));
    return (count * 1000) / (performance.now() - start);
  }

  /** As the money commands do it: entries that wait while a call is in flight go into the next one. */
  async function postTo({ operatorId }: BenchOperator, entries: number): Promise<void> {
    const call = createBatcher<number, null>(
      async (numbers) => {
        const entries = numbers.map((number) => ({
          ...ENTRY,
          operatorId,
          digits: newDigits(),
          externalUserId: `u${number % WALLETS}`,
          reference: `d-${number}`,
        }));
        await sql`select count(*) from append_to_journal('', ${JOURNAL_ENTRY.toArray(entries)}::text::journal_row[])`;
        return numbers.map(() => null);
      },
      { maxBatch: IN_FLIGHT, concurrency: 1 },
    );
    let next = 0;
    await Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        while (next < entries) {
          next += 1;
          await call(next);
        }
      }),
    );
  }

  const rates = await interleave(run, post, async () => (await inserts(world.database.ownerUrl, size(12_000))).rate);
  await sql.end();
  return { ...rates, unit: 'per s', note: `${OPERATORS} operators, ${IN_FLIGHT} waiting at each, feed items included` };
}

/** Test money, a part of which is staked at once: four lines. */
const ENTRY = {
  kind: 'contracts_bought',
  items: 2,
  action: 'buy',
  funds: 'cash',
  available: 300n,
  stakes: -270n,
  platformFees: -20n,
  venueFees: -10n,
} as const;
