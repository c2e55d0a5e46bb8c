/** A world with as many operators and keys as a test of the frame asks for, whose log can be read. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { newOperatorId } from '../../src/core/ids.ts';
import type { Secrets } from '../../src/core/secret.ts';
import { DEFAULT_SCOPES } from '../../src/operators/keys.ts';
import type { Operator } from '../../src/operators/operator.ts';
import { findOperator } from '../../src/operators/operators.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestRequest, TestResponse } from '../support/tenant.ts';
import { openWorld, type World } from '../support/world.ts';

type Call = (method: string, path: string, options?: Pick<TestRequest, 'body' | 'headers'>) => Promise<TestResponse>;

export interface TestOperator {
  readonly operatorId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly call: Call;
}

export interface TestApi extends World {
  /** Everything that was logged, as text. */
  readonly logged: string[];
  /** @param columns of its row, as they are called there */
  newOperator(columns?: Readonly<Record<string, unknown>>, scopes?: readonly string[]): Promise<TestOperator>;
  /** Without a key. */
  readonly call: Call;
}

interface ApiOptions {
  readonly secrets?: Secrets;
  readonly variables?: Readonly<Record<string, string>>;
  readonly database?: TestDatabase;
}

export async function startApi({ variables, ...options }: ApiOptions = {}): Promise<TestApi> {
  const logged: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      logged.push(String(chunk));
      done();
    },
  });
  const world = await openWorld({
    ...options,
    log: pino({ level: 'trace' }, sink),
    ...(variables !== undefined && { environment: variables }),
  });
  const call: Call = (method, path, asked) => world.request(method, path, { key: null, ...asked });
  return {
    ...world,
    logged,
    call,
    newOperator: async (columns = {}, scopes = DEFAULT_SCOPES) => {
      const { sql } = world;
      const row = { operator_id: newOperatorId(), name: 'Test', mode: 'sandbox', ...columns };
      const slug = row.operator_id.replace('_', '-');
      await sql`insert into operators ${sql({ slug, ...row } as Record<string, string>)}`;
      await sql`select open_ledger(${row.operator_id})`;
      const operator = (await findOperator(sql, row.operator_id)) as Operator;
      const { apiKey, keyId } = await world.issueKey(operator, { scopes });
      return {
        operatorId: row.operator_id,
        keyId,
        apiKey,
        call: (method, path, asked) => world.request(method, path, { key: apiKey, ...asked }),
      };
    },
  };
}
