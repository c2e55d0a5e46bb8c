/** Row `ledger-post`: entries of four lines through the posting engine, 64 a call, against one INSERT with commit. */
import { createBatcher } from '../src/core/batcher.ts';
import type { Fact } from '../src/core/fact.ts';
import { connect } from '../src/db/client.ts';
import { packFacts } from '../src/db/feed-facts.ts';
import { type Line, postEntry } from '../src/ledger/entry.ts';
import { inserts } from './baselines.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { BenchOperator, World } from './world.ts';

const OPERATORS = 8;
const IN_FLIGHT = 64;
const WALLETS = 500;

export async function ledgerPost(world: World, { rounds, size }: Run): Promise<Measure> {
  const operators = await world.createOperators('posting', OPERATORS, 0);
  const count = size(20_000, OPERATORS * IN_FLIGHT);
  const sql = connect(world.database.url, { max: OPERATORS, applicationName: 'inlay-bench' });

  async function post(): Promise<number> {
    const start = performance.now();
    await Promise.all(operators.map((operator) => postTo(operator, count / OPERATORS)));
    return (count * 1000) / (performance.now() - start);
  }

  /** As the money commands do it: what waits while a call is in flight goes into the next one. */
  async function postTo({ operatorId }: BenchOperator, entries: number): Promise<void> {
    const call = createBatcher<number, null>(
      async (numbers) => {
        const facts = numbers.flatMap((number, index) =>
          packFacts(
            [postEntry({ ...ENTRY, referenceId: `d-${number}`, lines: linesOf(number) }) as Fact],
            { command: index + 1, operatorId, externalUserId: `u${number % WALLETS}`, orderId: `ord_${number}` },
            index + 1,
          ),
        );
        await sql`
          select count(*) from record_facts((
            select array_agg(f) from json_populate_recordset(null::feed_fact, ${`[${facts.join(',')}]`}::text::json) f))`;
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

  const rates = await interleave(rounds, post, async () => (await inserts(world.database.ownerUrl, size(12_000))).rate);
  await sql.end();
  return { ...rates, unit: 'per s', note: `${OPERATORS} operators, ${IN_FLIGHT} waiting at each, feed items included` };
}

const ENTRY = { movementType: 'SANDBOX_CREDIT', memo: 'Posted by the bench', referenceType: 'deposit' } as const;

function linesOf(number: number): readonly Line[] {
  return [
    ['sandbox:float', 1_000n],
    [`wallet:u${number % WALLETS}`, -700n],
    ['stakes', -280n],
    ['fees:platform', -20n],
  ];
}
