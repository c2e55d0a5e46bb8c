/** An operator that moves is never paused for longer than the bound: its old cell opens again, and the move can be made later. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCell } from '../../src/operations/cells/cells-file.ts';
import { PauseTooLong } from '../../src/operations/cells/move/bounded-pause.ts';
import { moveOperator } from '../../src/operations/cells/move/move-operator.ts';
import { type HeldLock, hold } from '../support/held-lock.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { askService } from '../support/partner.ts';
import { until } from '../support/until.ts';

const LONG_MS = 120_000;

let cells: MovingCells;

beforeAll(async () => {
  cells = await startMovingCells();
}, LONG_MS);
afterAll(() => cells.close());

const move = (slug: string, ...flags: string[]) =>
  cells.inlay('operators', 'move', slug, '--to', 'west', '--yes', '--json', ...flags);

const stateOf = async (operatorId: string): Promise<string | undefined> =>
  (
    await cells.east.database.sql<{ state: string }[]>`
      select state from operator_moves where operator_id = ${operatorId}`
  )[0]?.state;

/** The operator trades in its old cell as if no move had begun, and in no other one. */
async function expectEastOnly(operatorId: string, key: string): Promise<void> {
  const answers = await Promise.all(
    [cells.east, cells.west].map(({ service }) => askService(service.url, key, 'GET', '/api/v1/whoami')),
  );
  const [east, west] = answers.map(({ status }) => status);
  expect(east).toBe(200);
  expect([401, 503]).toContain(west);
  expect(await stateOf(operatorId)).toBeUndefined();
  const fences = await cells.east.database.sql`select from pg_trigger where tgname = ${`moved_${operatorId}`}`;
  expect(fences).toHaveLength(0);
}

async function openTrader(slug: string) {
  const opened = await cells.openOperator(slug);
  await cells.hold(cells.east);
  expect((await cells.buy(opened.key, 'ann', 'one')).status).toBe(201);
  return opened;
}

async function expectMovesNow(slug: string, key: string): Promise<void> {
  expect((await cells.buy(key, 'ann', 'two')).status).toBe(201);
  const moved = await move(slug, '--max-pause', '600');
  expect([moved.exitCode, moved.json.moved], moved.stdout + moved.stderr).toEqual([0, true]);
  await cells.hold(cells.west);
  expect((await cells.buy(key, 'ann', 'three')).status).toBe(201);
  const books = await cells.inlay('reconciliation', 'run', '--operator', slug, '--json');
  expect([books.json.ok, books.json.findings]).toEqual([true, []]);
}

test(
  'a writer that does not end in the old cell ends the move, not the trading',
  async () => {
    const { operatorId, key } = await openTrader('held-in-east');
    const writer = await hold(cells.east, 'lock table sandbox_deposits in row exclusive mode');
    const late = await move('held-in-east', '--max-pause', '2');
    expect([late.exitCode, late.json.error], late.stderr).toEqual([1, 'pause_too_long']);
    // the lock is still held
    await expectEastOnly(operatorId, key);
    await writer.release();
    await expectMovesNow('held-in-east', key);
  },
  3 * LONG_MS,
);

test(
  'so does a new cell that takes the rows too slowly',
  async () => {
    const { operatorId, key } = await openTrader('held-in-west');
    const writer = await hold(cells.east, 'lock table sandbox_deposits in row exclusive mode');
    const moving = move('held-in-west', '--max-pause', '10');
    await until(
      () => stateOf(operatorId),
      (state) => state === 'fenced',
      LONG_MS,
    );
    const lock: HeldLock = await hold(cells.west, 'lock table positions in share mode');
    await writer.release();
    const late = await moving;
    expect([late.exitCode, late.json.error], late.stderr).toEqual([1, 'pause_too_long']);
    await expectEastOnly(operatorId, key);
    await lock.release();
    await expectMovesNow('held-in-west', key);
  },
  3 * LONG_MS,
);

test(
  'so does a report that does not end',
  async () => {
    const { operatorId, key } = await openTrader('reported');
    const [from, to] = ['east', 'west'].map((name) => readCell(cells.cellsFile, name));
    if (from === undefined || to === undefined) {
      throw new Error('no cells');
    }
    const moving = moveOperator(from, to, 'reported', {
      verifyBefore: async () => {},
      verifyAfter: () => new Promise(() => {}),
      progress: () => {},
      maxPauseMs: 3_000,
    });
    await expect(moving).rejects.toBeInstanceOf(PauseTooLong);
    await expectEastOnly(operatorId, key);
    await expectMovesNow('reported', key);
  },
  3 * LONG_MS,
);
