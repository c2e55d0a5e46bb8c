/** An API process without any worker notices that its database was set back to an earlier point: while it runs, and at its start. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let setAside: string | undefined;

beforeAll(async () => {
  service = await openWorld();
});
afterAll(async () => {
  await service.close();
  if (setAside !== undefined) {
    await asOwner([`drop database ${setAside} with (force)`]);
  }
});

const nameOf = ({ url }: Pick<TestDatabase, 'url'>) => new URL(url).pathname.slice(1);

async function asOwner(statements: readonly string[]): Promise<void> {
  const maintenance = new URL(service.database.ownerUrl);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  try {
    for (const statement of statements) {
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

/** The backup takes the place of the database under its own name, as after a restore. */
async function putBack(backup: TestDatabase): Promise<void> {
  const name = nameOf(service.database);
  const restored = nameOf(backup);
  setAside = `${name}_before`;
  await backup.sql.end({ timeout: 1 });
  const close = (one: string) => [
    `alter database ${one} allow_connections false`,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${one}'`,
  ];
  await asOwner([
    ...close(name),
    ...close(restored),
    `alter database ${name} rename to ${setAside}`,
    `alter database ${restored} rename to ${name}`,
    `alter database ${name} allow_connections true`,
  ]);
}

/** One item more in the feed of the demo operator: the opening credit of a new customer. */
const credit = (user: string) => service.sql`
  select ensure_customer(${service.operator.operatorId}, ${user})`;

const feed = (of: World, cursor = '') =>
  of.request('GET', `/api/v1/reconciliation/feed?limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`);

async function counted(): Promise<bigint> {
  const [row] = await service.sql<{ beat: bigint }[]>`select coalesce(max(beat), 0) as beat from books_witnesses`;
  return row?.beat ?? 0n;
}

async function witnessed(): Promise<void> {
  const before = await counted();
  await until(counted, (now) => now > before);
}

test('an API process alone notices that the database behind it was restored, and refuses older cursors', async () => {
  await credit('ana');
  const backup = await copyDatabase(service.database);
  await until(
    () =>
      credit('ben').then(
        () => true,
        () => false,
      ),
    (done) => done,
  );
  await witnessed();
  const page = await feed(service);
  expect(page.body.items).toHaveLength(2);

  await putBack(backup);
  await until(
    () => feed(service, page.body.nextCursor),
    ({ status, body }) => status === 409 && body.epoch === 2,
    15_000,
  );
  // the position is used again, for another fact: the cursor of the first epoch is still refused
  await credit('cat');
  expect((await feed(service, page.body.nextCursor)).body).toMatchObject({ error: 'cursor_ahead', epoch: 2 });
  expect((await feed(service)).body.items.map((item: { sequence: number }) => item.sequence)).toEqual([1, 2]);
}, 60_000);

test('an API process that starts on a restored database knows it from its data folder, before it answers anything', {
  timeout: 60_000,
  tags: 'proof',
}, async () => {
  await witnessed();
  const older = (await feed(service)).body.nextCursor;
  const [before] = await service.sql<{ epoch: number }[]>`select epoch from books`;
  const backup = await copyDatabase(service.database);
  try {
    await witnessed();
    const { dataDir } = service.context.environment;
    const restarted = await openWorld({ database: backup, environment: { INLAY_DATA_DIR: dataDir } });
    try {
      const refused = await restarted.request('GET', `/api/v1/reconciliation/feed?cursor=${older}`);
      expect([refused.status, refused.body]).toMatchObject([
        409,
        { error: 'cursor_ahead', epoch: (before?.epoch ?? 0) + 1 },
      ]);
    } finally {
      await restarted.close();
    }
  } finally {
    await backup.close();
  }
});
