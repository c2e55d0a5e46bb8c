/**
 * Damages that a program draws over all columns of the tables that the journal decides: a value, several of one row together, one
 * exchanged between two rows, a row removed or doubled; by the service's role, and by the owner with triggers off. Each is refused by
 * the database or reported. Replay with INLAY_SEED.
 */
import { beforeAll, expect, test } from 'vitest';
import { COMPARED } from '../../src/audit/books.ts';
import { books, damage, openDamagedBooks } from '../reconciliation/damaged-books.ts';
import { type Chance, openChance } from '../support/random.ts';
import { COMPARED_BY_SUMS } from './compared-by-sums.ts';

openDamagedBooks();

const SEED = Number(process.env['INLAY_SEED'] ?? 4712);
const DAMAGES = Number(process.env['INLAY_DAMAGES'] ?? 100);

/** Tables with the key of their rows and the columns that the journal decides, and the type of each. */
interface Target {
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly types: ReadonlyMap<string, string>;
}

const KEYS: Readonly<Record<string, readonly string[]>> = {
  wallets: ['external_user_id'],
  operator_ledgers: ['operator_id'],
  exposures: ['external_user_id'],
  transmissions: ['order_id'],
  accounting_periods: ['number'],
  ...Object.fromEntries(COMPARED.map(({ table, book }) => [table, book.key])),
};

const targets: Target[] = [];
beforeAll(async () => {
  const { sql } = books();
  for (const [table, key] of Object.entries(KEYS)) {
    const compared = COMPARED.find((one) => one.table === table);
    const columns =
      compared === undefined
        ? (COMPARED_BY_SUMS[table]?.decided ?? [])
        : [...compared.book.key, ...compared.book.checks.keys()];
    const rows = await sql<{ name: string; type: string }[]>`
      select column_name as name, data_type as type from information_schema.columns where table_schema = 'public' and table_name = ${table}
        and is_generated = 'NEVER'`;
    targets.push({
      table,
      key,
      columns: [...new Set(columns)],
      types: new Map(rows.map(({ name, type }) => [name, type])),
    });
  }
});

/** Another value than the column has. */
function changed(column: string, type: string | undefined, chance: Chance): string {
  switch (type) {
    case 'boolean':
      return `not coalesce(${column}, false)`;
    case 'timestamp with time zone':
      return `coalesce(${column}, now()) + interval '${chance.pick(['1 microsecond', '3 seconds', '40 days'])}'`;
    case 'text':
      return `${chance.pick(["'x'", `coalesce(${column}, '') || 'x'`])}`;
    default:
      return `coalesce(${column}, 0) + ${chance.pick([1, -1, 100, 1_000_000])}`;
  }
}

interface Drawn {
  readonly role: 'service' | 'owner';
  readonly statement: string;
}

/** `damaged-books.ts` fills in `:op` and `:live`. */
function draw(chance: Chance): Drawn {
  const { table, key, columns, types } = chance.pick(targets);
  const operator = chance.pick([':op', ':live']);
  const place = chance.below(8);
  const row = (at: number) =>
    `(operator_id, ${key.join(', ')}) in (select operator_id, ${key.join(', ')} from ${table} where operator_id = '${operator}' and ${counted(table)}
      order by ${key.join(', ')} offset ${at} % greatest(1, (select count(*) from ${table} where operator_id = '${operator}' and ${counted(table)})) limit 1)`;
  const others = columns.filter((column) => column !== 'operator_id');
  const role = chance.pick(['service', 'owner'] as const);
  switch (chance.below(5)) {
    case 0:
    case 1: {
      const column = chance.pick(others);
      return {
        role,
        statement: `update ${table} set ${column} = ${changed(column, types.get(column), chance)} where ${row(place)}`,
      };
    }
    case 2: {
      const some = [...new Set([chance.pick(others), chance.pick(others), chance.pick(others)])];
      return {
        role,
        statement: `update ${table} set ${some.map((column) => `${column} = ${changed(column, types.get(column), chance)}`).join(', ')} where ${row(place)}`,
      };
    }
    case 3: {
      const column = chance.pick(others.filter((one) => !key.includes(one)).concat(others.slice(-1)));
      return {
        role,
        statement: `update ${table} set ${column} = other.${column} from (select * from ${table} where ${row(place + 1)}) other
          where ${row(place)
            .replace('(operator_id', `(${table}.operator_id`)
            .replace(
              new RegExp(`, ${key.join(', ')}\\) in`),
              `, ${key.map((one) => `${table}.${one}`).join(', ')}) in`,
            )}
            and ${table}.${column} is distinct from other.${column}`,
      };
    }
    default: {
      // a second ledger would be of an operator that does not exist
      if (table === 'operator_ledgers' || chance.happens(0.5)) {
        return { role, statement: `delete from ${table} where ${row(place)}` };
      }
      const last = key.at(-1) ?? '';
      const names = [...types.keys()];
      return {
        role,
        statement: `insert into ${table} (${names.join(', ')}) select ${names.map((name) => (name === last ? changed(name, types.get(name), chance) : name)).join(', ')}
          from ${table} where ${row(place)}`,
      };
    }
  }
}

/** Which rows of a table count. */
const counted = (table: string) => COMPARED.find((one) => one.table === table)?.where ?? 'true';

// contract 22.19
test(`each of ${DAMAGES} damages is refused or reported (seed ${SEED})`, {
  tags: 'proof',
  timeout: 240_000,
}, async () => {
  const chance = openChance(SEED);
  const missed: string[] = [];
  const counts = { refused: 0, reported: 0, nothing: 0 };
  for (let drawn = 0; counts.refused + counts.reported < DAMAGES && drawn < DAMAGES * 3; drawn += 1) {
    const { role, statement } = draw(chance);
    try {
      const { count, found } = await damage(role, statement);
      if (count === 0) {
        counts.nothing += 1;
      } else if (found.some(({ severity }) => severity === 'critical')) {
        counts.reported += 1;
      } else {
        missed.push(`${role}: ${statement}`);
      }
    } catch {
      counts.refused += 1;
    }
  }
  expect(missed).toEqual([]);
  expect(counts.reported).toBeGreaterThan(DAMAGES / 3);
});
