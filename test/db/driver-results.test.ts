/** Every result is the one of its own statement, whatever happened on its connection before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Sql } from '../../src/db/client.ts';
import { isDatabaseAway } from '../../src/db/database-errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openWireProxy, type WireProxy } from '../support/wire-proxy.ts';

/** Rows before the end of the backend: within one packet, and over several. */
const SIZES = [...Array.from({ length: 40 }, (_, size) => size), 63, 64, 65, 127, 500, 4_000];

let database: TestDatabase;
let proxy: WireProxy;
/** One connection, so that the next statement is on the connection that just failed. */
let single: Sql;
let proxied: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await openWireProxy(database.url);
  single = connect(database.url, { max: 1, applicationName: 'inlay-test-single' });
  proxied = connect(proxy.url, { max: 1, applicationName: 'inlay-test-proxied' });
});

afterAll(async () => {
  await single.end({ timeout: 1 });
  await proxied.end({ timeout: 1 });
  await proxy.close();
  await database.close();
});

async function expectWhole(sql: Sql, mark: number): Promise<void> {
  const rows = await sql<{ got: number }[]>`select ${mark}::integer as got`;
  expect([...rows]).toEqual([{ got: mark }]);
  const several = await sql<{ n: number }[]>`select n from generate_series(1, 3) n`;
  expect([...several]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
}

test('a backend that ends in the middle of a result of any size leaves nothing to the next statement', async () => {
  for (const size of SIZES) {
    const ended = single`
      select n, repeat('x', 100) as padding, case when n > ${size} then pg_terminate_backend(pg_backend_pid()) end as ended
        from generate_series(1, ${size} + 2) n`.then(
      () => 'answered',
      (error: unknown) => (isDatabaseAway(error) ? 'away' : error),
    );
    expect(await ended).toBe('away');
    await expectWhole(single, size);
  }
});

test('a statement that fails in the middle of its result leaves no holes in the next one', async () => {
  for (const size of SIZES) {
    await expect(
      single`select 1 / (${size} - n) as share from generate_series(0, ${size} + 5) n`,
    ).rejects.toMatchObject({
      code: '22012',
    });
    await expectWhole(single, size);
  }
});

test('a connection that is cut after any number of bytes of a result', { tags: 'proof' }, async () => {
  await expectWhole(proxied, 0);
  for (let cutAfter = 0, cut = true; cut; cutAfter += 1) {
    proxy.cutAfter = cutAfter;
    const answer = await proxied<{ n: number }[]>`select n from generate_series(1, 6) n`.then(
      (rows) => rows.map(({ n }) => n),
      (error: unknown) => (isDatabaseAway(error) ? 'away' : error),
    );
    cut = proxy.cutAfter === undefined;
    proxy.cutAfter = undefined;
    expect(answer).toEqual(cut ? 'away' : [1, 2, 3, 4, 5, 6]);
    await expectWhole(proxied, cutAfter);
  }
});

test('each row has its own columns, those of its own statement, in their order', async () => {
  const [first, second] = await single.unsafe<Record<string, unknown>[][]>(
    `select n as b, nullif(n, 2) as "a_column" from generate_series(1, 3) n; select null as c, 4 as a`,
  );
  expect(JSON.stringify(first)).toBe('[{"b":1,"aColumn":1},{"b":2,"aColumn":null},{"b":3,"aColumn":3}]');
  expect(JSON.stringify(second)).toBe('[{"c":null,"a":4}]');
});

test('what one connection can do is done by one, whose plans are made', async () => {
  const pool = connect(database.url, { max: 4, applicationName: 'inlay-test-pool' });
  const backend = async () => (await pool<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.02)`)[0]?.pid;
  const together = await Promise.all([backend(), backend(), backend(), backend()]);
  expect(new Set(together).size).toBe(4);
  const alone: unknown[] = [];
  for (let number = 0; number < 10; number += 1) {
    alone.push(await backend());
  }
  expect(new Set(alone).size).toBe(1);
  await pool.end({ timeout: 1 });
});

/** The bytes with the first DataRow in them sent `times` times. */
function repeatRow(bytes: Buffer, times: number): Buffer {
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] === 'D'.charCodeAt(0)) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      const rows = Array.from({ length: times }, () => bytes.subarray(at, end));
      return Buffer.concat([bytes.subarray(0, at), ...rows, bytes.subarray(end)]);
    }
  }
  return bytes;
}

test.each([0, 2, 17])('a result with its row %i times is an error and ends its connection', async (times) => {
  await expectWhole(proxied, times);
  proxy.rewrite = (bytes) => repeatRow(bytes, times);
  const pids = () => proxied<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const asked = [pids(), pids(), pids()];
  const answers = await Promise.allSettled(asked);
  proxy.rewrite = (bytes) => bytes;
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await expect(asked[0]).rejects.toMatchObject({ code: 'UNEXPECTED_RESULT' });
  expect(isDatabaseAway(await asked[0]?.catch((error: unknown) => error))).toBe(true);
  await expectWhole(proxied, times);
});

test('a row of another width than its statement is an error and ends its connection', async () => {
  await expectWhole(proxied, 1);
  proxy.rewrite = (bytes) => {
    for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
      if (bytes[at] === 'D'.charCodeAt(0)) {
        bytes.writeUInt16BE(2, at + 5);
      }
    }
    return bytes;
  };
  const asked = proxied`select 1 as one`;
  await expect(asked).rejects.toMatchObject({ code: 'UNEXPECTED_RESULT' });
  proxy.rewrite = (bytes) => bytes;
  await expectWhole(proxied, 2);
});

test('only the statement that cannot be sent is refused, and no caller gets the answer of another', async () => {
  const list = (values: readonly string[]) => single<{ got: string[] }[]>`select ${values as string[]}::text[] as got`;
  // prepared, so that its parameters are serialized at once
  await list(['prepared']);
  const running = single<{ got: string }[]>`select 'running' as got from pg_sleep(0.05)`;
  const broken = list([undefined as unknown as string]);
  const after = single<{ got: string }[]>`select 'after' as got`;
  const settled = await Promise.allSettled([running, broken, after]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([...(await running)]).toEqual([{ got: 'running' }]);
  expect([...(await after)]).toEqual([{ got: 'after' }]);
});

test('a statement that is prepared again sends its parameters as they were', async () => {
  const owner = connect(database.ownerUrl, { max: 1, applicationName: 'inlay-test-owner' });
  await owner`create table prepared_again (subject text)`;
  await owner`insert into prepared_again values ('one')`;
  const asked = () => owner`select *, ${owner.json({ key: 'value' })}::json as sent from prepared_again`;
  expect([...(await asked())]).toEqual([{ subject: 'one', sent: { key: 'value' } }]);
  await owner`alter table prepared_again add column added integer default 2`;
  expect([...(await asked())]).toEqual([{ subject: 'one', added: 2, sent: { key: 'value' } }]);
  await owner.end();
});
