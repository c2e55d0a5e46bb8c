/** Books that were set back to an earlier point: their epoch rises, and cursors of what is gone are refused. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeCursor } from '../../src/core/cursor.ts';
import { createWitness } from '../../src/db/books-witness.ts';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let folder: string;
beforeAll(async () => {
  service = await openWorld();
  folder = await mkdtemp(join(tmpdir(), 'inlay-witness-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** One item more in the feed of the demo operator: the opening credit of a new customer. */
const credit = (user: string, database: Pick<TestDatabase, 'sql'> = service) => database.sql`
  select ensure_customer(${service.operator.operatorId}, ${user})`;

const read = (of: World, path: string, key: string) => of.request('GET', `/api/v1/${path}`, { key });

// contract 21.15
test('a cursor beyond the last item is refused, with where the books end', async () => {
  const { operatorId } = service.operator;
  await credit('ana');
  const beyond = (register: string) => encodeCursor(`${register}:${operatorId}`, ['1000']);
  for (const path of [`reconciliation/feed?cursor=${beyond('feed')}`, `settlements?cursor=${beyond('settlements')}`]) {
    const refused = await read(service, path, service.key);
    expect([refused.status, refused.body]).toMatchObject([409, { error: 'cursor_ahead', lastSequence: 1, epoch: 1 }]);
  }
});

// contract 21.15
test('a restored database that a worker knew further on begins a new epoch, and older cursors are refused', async () => {
  const backup = await copyDatabase(service.database);
  try {
    const first = createWitness(service.sql, folder);
    expect(await first.beat()).toMatchObject({ epoch: 1, lost: false });
    await credit('ben');
    await first.beat();
    const page = await read(service, 'reconciliation/feed?limit=500', service.key);
    const older = page.body.items[0].cursor;

    // another process, with the file of the one that saw the later commits
    const restored = await openWorld({ database: backup });
    try {
      expect(await createWitness(backup.sql, folder).beat()).toMatchObject({ epoch: 2, lost: true });
      // the positions are used again, for other facts
      await credit('cat', backup);
      for (const cursor of [page.body.nextCursor, older]) {
        const refused = await read(restored, `reconciliation/feed?cursor=${cursor}`, restored.key);
        expect([refused.status, refused.body]).toMatchObject([
          409,
          { error: 'cursor_ahead', lastSequence: 2, epoch: 2 },
        ]);
      }
      const again = await read(restored, 'reconciliation/feed?limit=1', restored.key);
      expect(again.status).toBe(200);
      const rest = await read(restored, `reconciliation/feed?cursor=${again.body.items[0].cursor}`, restored.key);
      expect(rest.body.items.map((item: { sequence: number }) => item.sequence)).toEqual([2]);
      const end = await read(restored, `reconciliation/feed?cursor=${rest.body.nextCursor}`, restored.key);
      expect([end.status, end.body.items]).toEqual([200, []]);
      const settlements = await read(restored, 'settlements', restored.key);
      const next = await read(restored, `settlements?cursor=${settlements.body.nextCursor}`, restored.key);
      expect(next.status).toBe(200);
      const unknown = encodeCursor(`feed:${restored.operator.operatorId}`, ['1', 1]);
      expect((await read(restored, `reconciliation/feed?cursor=${unknown}`, restored.key)).status).toBe(400);
    } finally {
      await restored.close();
    }
  } finally {
    await backup.close();
  }
});

test('a restored database is detected by what a worker kept in memory and on its disk, whichever worker looks first', async () => {
  const backup = await copyDatabase(service.database);
  const mine = await mkdtemp(join(tmpdir(), 'inlay-witness-'));
  try {
    const witness = createWitness(service.sql, mine);
    await witness.beat();
    // a worker without a memory comes first, and counts further than the one that knows
    const stranger = createWitness(backup.sql, await mkdtemp(join(mine, 'stranger-')));
    for (let count = 0; count < 5; count += 1) {
      expect((await stranger.beat()).lost).toBe(false);
    }
    expect(await createWitness(backup.sql, mine).beat()).toMatchObject({ epoch: 2, lost: true });
    expect(await stranger.beat()).toMatchObject({ epoch: 2, lost: false });
    // restored from the same backup once more: above every epoch that anybody saw
    const again = await copyDatabase(service.database);
    expect(await createWitness(again.sql, mine).beat()).toMatchObject({ epoch: 3, lost: true });
    await again.close();
  } finally {
    await backup.close();
    await rm(mine, { recursive: true, force: true });
  }
});

test('a change of server that lost nothing raises no epoch, and is distinguished', async () => {
  const mine = await mkdtemp(join(tmpdir(), 'inlay-witness-'));
  const copy = await copyDatabase(service.database);
  try {
    const witness = createWitness(copy.sql, mine);
    const before = await witness.beat();
    // as a promoted standby would find them: the books were on another timeline
    await copy.sql`update books set timeline = timeline - 1`;
    const path = join(mine, (await readdir(mine))[0] ?? '');
    const seen = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({ ...seen, timeline: `${Number(seen.timeline) - 1}` }));
    const after = await createWitness(copy.sql, mine).beat();
    expect(after).toMatchObject({ epoch: before.epoch, lost: false });
  } finally {
    await copy.close();
    await rm(mine, { recursive: true, force: true });
  }
});
