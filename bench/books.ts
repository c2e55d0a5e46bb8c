/**
 * The books of one operator with a million ledger entries, for the rows that read them. A block of customers is made by real
 * requests and statements: credits, orders, a settlement. The rest are copies of that block under other ids, further positions
 * and running balances, so that every identity holds and the reconciliation report finds nothing.
 */
import pg from 'pg';
import { newId } from '../src/core/ids.ts';
import { settleMarket } from '../src/settlement/settle-market.ts';
import { seedMarket } from '../test/support/market.ts';
import { type Counts, layOut } from './laid-out.ts';
import type { Run } from './measure.ts';
import { DEEP, IN_FLIGHT, load } from './orders.ts';
import type { BenchOperator, World } from './world.ts';

export interface Books extends Counts {
  readonly operator: BenchOperator;
  /** Items of a block. All blocks have the same kinds of rows in the same order. */
  readonly itemsOfBlock: number;
}

const CUSTOMERS = 500;
const CREDITS = 15;
/** Buys of each customer: one in the market that settles, the others in one that stays open. */
const BUYS = 3;
/** Blocks of 10,000 entries. */
const BLOCKS = 100;
/** First of the three hex digits that distinguish the blocks; those of real ids of this decade are below. */
const FIRST_MARK = 256;
/** U is not a letter of a reference, so that a copy never reads as its original. */
const COPIED_REFERENCE = `overlay(t.execution_ref placing 'U' || upper(lpad(to_hex(k), 3, '0')) from 10 for 4)`;

const made = new WeakMap<World, Promise<Books>>();

/** Made once a world. */
export function booksOf(world: World, run: Run): Promise<Books> {
  const known = made.get(world);
  if (known !== undefined) {
    return known;
  }
  const books = makeBooks(world, run.size(BLOCKS, 2));
  made.set(world, books);
  return books;
}

async function makeBooks(world: World, blocks: number): Promise<Books> {
  const [operator] = await world.createOperators('books', 1, 60);
  if (operator === undefined) {
    throw new Error('no operator was created');
  }
  await makeBlock(world, operator);
  await copyBlock(world.database.ownerUrl, operator.operatorId, blocks);
  const counts = await layOut(world, operator.operatorId);
  return { operator, ...counts, itemsOfBlock: counts.items / blocks };
}

/**
 * About 10,000 entries of the customers of the first block.
 * @param name distinguishes its markets and orders from others
 */
export async function makeBlock(world: World, operator: BenchOperator, name = 'c000'): Promise<void> {
  const { sql } = world;
  const settling = await seedMarket(sql, `bench-books-settling-${name}`, DEEP);
  const lasting = await seedMarket(sql, `bench-books-lasting-${name}`, DEEP);
  const api = await world.startApi();
  const headersOf = (index: number) => ({
    authorization: `Bearer ${operator.keys[index % operator.keys.length] ?? ''}`,
    'x-service-user': `c000-${index % CUSTOMERS}`,
    'content-type': 'application/json',
  });
  const post = (path: string, bodies: readonly object[]) =>
    load(world, {
      url: api.url,
      inFlight: IN_FLIGHT,
      bodies: true,
      shots: bodies.map((body, index) => ({
        path,
        method: 'POST' as const,
        headers: headersOf(index),
        body: JSON.stringify(body),
      })),
    });
  for (let buy = 0; buy < BUYS; buy += 1) {
    const marketId = (buy === 0 ? settling : lasting).contractId;
    const asked = Array.from({ length: CUSTOMERS }, () => ({ marketId, side: 'YES', action: 'buy', stake: 2 }));
    const quotes = await post('/api/v1/quotes', asked);
    const orders = quotes.bodies.map((body, index) => ({
      quoteId: (JSON.parse(body) as { quoteId: string }).quoteId,
      clientOrderId: `${name}-${buy}-${index}`,
    }));
    await post('/api/v1/orders', orders);
  }
  await api.close();
  for (let credit = 0; credit < CREDITS; credit += 1) {
    await sql`
      with credited as (
        insert into sandbox_deposits (operator_id, deposit_id, external_user_id, symbol, chain_id, address, polls, received_minor, credited_minor,
          expires_at, credited_at)
        select ${operator.operatorId}, 'dep_' || replace(uuidv7_text(), '-', ''), 'c000-' || (n - 1), 'USDC', 1, 'bench', 2, 100, 100, now(), now()
        from generate_series(1, ${CUSTOMERS}::int) n
        returning operator_id, deposit_id, external_user_id
      )
      select credit_wallets(operator_id, array[operator_id::text], array[external_user_id], array[100], 'Test deposit', deposit_id) from credited`;
  }
  await sql`select * from decide_market(${settling.contractId}, 'resolve', 'YES', ${null}::bigint)`;
  await settleMarket(sql, settling.contractId);
}

/** As the owner and with triggers out of the way, as a restore would; the check constraints hold all the same. */
async function copyBlock(ownerUrl: string, operatorId: string, blocks: number): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica; set work_mem = '256MB'; set synchronous_commit = off");
    const { rows } = await client.query<{ items: string }>(
      'select sequence as items from operator_ledgers where operator_id = $1',
      [operatorId],
    );
    const [template] = rows;
    if (template === undefined) {
      throw new Error('the operator has no counter');
    }
    for (const statement of statementsOf(client.escapeLiteral(operatorId), blocks, Number(template.items))) {
      await client.query(statement);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Column lists are read from the catalogue of the database, so a new column is copied without a change here. */
function statementsOf(operator: string, blocks: number, items: number): string[] {
  const replaced: Record<string, Record<string, string>> = {
    customers: { external_user_id: 'text' },
    orders: {
      order_id: 'text',
      external_user_id: 'text',
      client_order_id: 'text',
      quote_id: 'text',
      position_id: 'text',
      execution_ref: COPIED_REFERENCE,
    },
    quotes: { quote_id: 'text', external_user_id: 'text' },
    sandbox_deposits: { deposit_id: 'text', external_user_id: 'text' },
    positions: { position_id: 'text', external_user_id: 'text' },
    journal: {
      sequence: 'position',
      external_user_id: 'text',
      order_id: 'text',
      position_id: 'text',
      quote_id: 'text',
      client_order_id: 'text',
      execution_ref: COPIED_REFERENCE,
      reference: 'text',
      digits: `overlay(t.digits::text placing lpad(to_hex(k), 3, '0') from 1 for 3)::uuid`,
      recorded_at: 'time',
      stakes_after: afterOf('stakes'),
      result_after: afterOf('result'),
      platform_fees_after: afterOf('platform_fees'),
      venue_fees_after: afterOf('venue_fees'),
      other_after: `t.other_after + (k - ${FIRST_MARK}) * (select case t.other_account when 'sandbox:float' then l.sandbox_float
        when 'fees:returned' then l.fees_returned end from operator_ledgers l where l.operator_id = t.operator_id)`,
    },
  };
  return [
    `create or replace function bench_copy(t text, k integer) returns text language sql immutable as
       $$ select replace(replace(t, '_${newId('ord').slice(4, 7)}', '_' || lpad(to_hex(k), 3, '0')), 'c000-', 'c' || lpad(to_hex(k), 3, '0') || '-') $$`,
    // a step is a little longer than a block, whose times are rounded
    `create temp table bench_span as select min(recorded_at) as begin, (max(recorded_at) - min(recorded_at)) / ${blocks} + interval '2 us' as step
       from journal where operator_id = ${operator}`,
    // times rise with sequences: all blocks share the span of the first
    `update journal t set recorded_at = begin + (t.recorded_at - begin) / ${blocks} from bench_span where operator_id = ${operator}`,
    ...Object.entries(replaced).map(([table, columns]) => {
      const [position] = Object.keys(columns).filter((name) => columns[name] === 'position');
      const order = position === undefined ? 'order by k' : `order by k, t.${position}`;
      const from = `${table} t cross join generate_series(${FIRST_MARK + 1}, ${FIRST_MARK + blocks - 1}) k cross join bench_span`;
      return `do $do$ declare names text; cells text; begin
        select string_agg(quote_ident(attname), ', ' order by attnum),
          string_agg(coalesce($json$${JSON.stringify(cellsOf(columns, items))}$json$::json ->> attname, 't.' || quote_ident(attname)), ', ' order by attnum)
        into names, cells from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '';
        execute 'insert into ${table} (' || names || ') select ' || cells || $sql$ from ${from}
          where t.operator_id = ${operator} ${order}$sql$;
      end $do$`;
    }),
    `insert into wallets (operator_id, external_user_id, available, held) select t.operator_id, bench_copy(t.external_user_id, k), t.available, t.held
       from wallets t cross join generate_series(${FIRST_MARK + 1}, ${FIRST_MARK + blocks - 1}) k where t.operator_id = ${operator}`,
    `update operator_ledgers set sequence = sequence * ${blocks}, stakes = stakes * ${blocks}, result = result * ${blocks},
       platform_fees = platform_fees * ${blocks}, venue_fees = venue_fees * ${blocks}, sandbox_float = sandbox_float * ${blocks},
       fees_returned = fees_returned * ${blocks},
       recorded_at = (select max(recorded_at) from journal where operator_id = ${operator}) where operator_id = ${operator}`,
    'drop function bench_copy',
  ];
}

/** The amount that the blocks before it have added to an account of the house. */
const afterOf = (account: string) =>
  `t.${account}_after + (k - ${FIRST_MARK}) * (select l.${account} from operator_ledgers l where l.operator_id = t.operator_id)`;

function cellsOf(columns: Readonly<Record<string, string>>, items: number): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, kind]) => {
      switch (kind) {
        case 'text':
          return [name, `bench_copy(t.${name}, k)`];
        case 'position':
          return [name, `t.${name} + (k - ${FIRST_MARK}) * ${items}::bigint`];
        case 'time':
          return [name, `t.${name} + (k - ${FIRST_MARK}) * step`];
        default:
          return [name, kind];
      }
    }),
  );
}
