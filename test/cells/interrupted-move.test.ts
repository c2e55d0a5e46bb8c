/** The process that moves an operator is killed in each phase: the operator trades in one cell at most, and the move continues or ends. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HeldLock, hold, untilSessions } from '../support/held-lock.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { askService } from '../support/partner.ts';
import { startInlay } from '../support/process.ts';
import type { TestCell } from '../support/two-cells.ts';
import { until } from '../support/until.ts';

const LONG_MS = 120_000;

let cells: MovingCells;

beforeAll(async () => {
  cells = await startMovingCells();
}, LONG_MS);
afterAll(() => cells.close());

const move = (slug: string, ...flags: string[]) =>
  cells.inlay(
    'operators',
    'move',
    slug,
    '--from',
    'east',
    '--to',
    'west',
    '--max-pause',
    '600',
    '--yes',
    '--json',
    ...flags,
  );

const untilMover = ({ database }: TestCell, filter: string, good: (sessions: number) => boolean) =>
  untilSessions(database.ownerUrl, 'inlay-move', filter, good);

const waits = (cell: TestCell) => untilMover(cell, `and wait_event_type = 'Lock'`, (sessions) => sessions > 0);

const reaches = ({ database }: TestCell, operatorId: string, state: string) =>
  until(
    () => database.sql<{ state: string }[]>`select state from operator_moves where operator_id = ${operatorId}`,
    ([row]) => row?.state === state,
    LONG_MS,
  );

const WRITES_DEPOSIT = 'lock table sandbox_deposits in row exclusive mode';
const KEEPS_POSITIONS = 'lock table positions in share mode';
const recordOf = (operatorId: string) => `select from operator_moves where operator_id = '${operatorId}' for update`;

/** Each brings the mover to a phase and leaves it waiting there. @returns the locks that it waits for. */
const PHASES: Record<string, (operatorId: string) => Promise<HeldLock[]>> = {
  'while it copies and the operator trades': async () => {
    const lock = await hold(cells.west, 'lock table feed_item_rows in share mode');
    await waits(cells.west);
    return [lock];
  },
  'while it closes the old cell': async (operatorId) => {
    const writer = await hold(cells.east, WRITES_DEPOSIT);
    await reaches(cells.east, operatorId, 'fenced');
    await waits(cells.east);
    return [writer];
  },
  'while it copies the rest': async (operatorId) => {
    const writer = await hold(cells.east, WRITES_DEPOSIT);
    await reaches(cells.east, operatorId, 'fenced');
    const lock = await hold(cells.west, KEEPS_POSITIONS);
    await writer.release();
    await waits(cells.west);
    return [lock];
  },
  'after it copied everything, before the new cell opens': async (operatorId) => {
    const writer = await hold(cells.east, WRITES_DEPOSIT);
    await reaches(cells.east, operatorId, 'fenced');
    const lock = await hold(cells.west, recordOf(operatorId));
    await writer.release();
    await waits(cells.west);
    return [lock];
  },
  'after the new cell opened': async (operatorId) => {
    const writer = await hold(cells.east, WRITES_DEPOSIT);
    await reaches(cells.east, operatorId, 'fenced');
    const west = await hold(cells.west, recordOf(operatorId));
    await writer.release();
    await waits(cells.west);
    const east = await hold(cells.east, recordOf(operatorId));
    await west.release();
    await waits(cells.east);
    return [east];
  },
};

/** Starts a move and kills its process in a phase. */
async function killIn(phase: string, slug: string, operatorId: string): Promise<void> {
  const mover = startInlay(
    ['operators', 'move', slug, '--from', 'east', '--to', 'west', '--max-pause', '600', '--yes', '--json'],
    {
      env: { ...process.env, ...cells.settings },
    },
  );
  const locks = await Promise.race([
    PHASES[phase]?.(operatorId),
    mover.ended.then(({ stdout, stderr }) => {
      throw new Error(`the mover ended before its phase: ${stdout} ${stderr}`);
    }),
  ]);
  mover.child.kill('SIGKILL');
  await mover.ended.catch(() => {});
  for (const lock of locks ?? []) {
    await lock.release();
  }
  // PostgreSQL notices that the mover is gone when it has nothing left to do for it
  for (const cell of [cells.east, cells.west]) {
    await untilMover(cell, '', (sessions) => sessions === 0);
  }
}

const clientOrderIds = async (key: string): Promise<string[]> =>
  ((await cells.call(key, '/api/v1/orders')).body.orders ?? []).map(({ clientOrderId }) => clientOrderId).sort();

/** How many of the cells take an order of the operator now. */
async function tradesIn(key: string): Promise<string[]> {
  const open: string[] = [];
  for (const cell of [cells.east, cells.west]) {
    const { status } = await askService(cell.service.url, key, 'POST', '/api/v1/embed-sessions', undefined, {
      externalUserId: 'ann',
    });
    expect([201, 200, 401, 503]).toContain(status);
    open.push(...(status < 300 ? [cell.name] : []));
  }
  return open;
}

test.each(Object.keys(PHASES).map((phase, number) => [phase, `killed-${number}`] as const))(
  'a mover that is killed %s leaves at most one cell open, and the same command finishes the move',
  async (phase, slug) => {
    const { operatorId, key } = await cells.openOperator(slug);
    await cells.hold(cells.east);
    expect((await cells.buy(key, 'ann', 'one')).status).toBe(201);
    await killIn(phase, slug, operatorId);
    expect((await tradesIn(key)).length).toBeLessThan(2);
    const resumed = await move(slug);
    expect([resumed.exitCode, resumed.json.moved], resumed.stdout + resumed.stderr).toEqual([0, true]);
    await cells.hold(cells.west);
    expect(await tradesIn(key)).toEqual(['west']);
    expect((await cells.buy(key, 'ann', 'two')).status).toBe(201);
    expect(await clientOrderIds(key)).toEqual(['one', 'two']);
    const books = await cells.inlay('reconciliation', 'run', '--operator', slug, '--cell', 'west', '--json');
    expect([books.json.ok, books.json.findings]).toEqual([true, []]);
  },
  3 * LONG_MS,
);

test(
  'an interrupted move can be given up, made again, and made back',
  async () => {
    const { operatorId, key } = await cells.openOperator('returns');
    await cells.hold(cells.east);
    expect((await cells.buy(key, 'ann', 'one')).status).toBe(201);
    for (const phase of ['while it copies the rest', 'while it copies and the operator trades']) {
      await killIn(phase, 'returns', operatorId);
      const abandoned = await move('returns', '--abandon');
      expect([abandoned.exitCode, abandoned.json.moved], abandoned.stdout).toEqual([0, false]);
      expect(await tradesIn(key)).toEqual(['east']);
    }
    expect((await cells.buy(key, 'ann', 'two')).status).toBe(201);
    expect((await move('returns')).json.moved).toBe(true);
    await cells.hold(cells.west);
    expect((await cells.buy(key, 'ann', 'three')).status).toBe(201);
    const back = await cells.inlay(
      'operators',
      'move',
      'returns',
      '--to',
      'east',
      '--max-pause',
      '600',
      '--yes',
      '--json',
    );
    expect([back.exitCode, back.json.moved], back.stdout).toEqual([0, true]);
    await cells.hold(cells.east);
    expect((await cells.buy(key, 'ann', 'four')).status).toBe(201);
    expect(await clientOrderIds(key)).toEqual(['four', 'one', 'three', 'two']);
    const books = await cells.inlay('reconciliation', 'run', '--operator', 'returns', '--cell', 'east', '--json');
    expect([books.json.ok, books.json.findings]).toEqual([true, []]);
  },
  3 * LONG_MS,
);

test(
  'an operator that moves is refused with 503, and is not resumed in the wrong cell',
  async () => {
    const { operatorId, key } = await cells.openOperator('refused');
    await cells.hold(cells.east);
    expect((await cells.buy(key, 'ann', 'one')).status).toBe(201);
    await killIn('while it copies the rest', 'refused', operatorId);
    for (const cell of ['east', 'west']) {
      const resumed = await cells.inlay('operators', 'resume', 'refused', '--cell', cell, '--json');
      expect(resumed.exitCode, cell).toBe(1);
    }
    const refused = await fetch(`${cells.east.service.url}/api/v1/whoami`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await refused.json()).toMatchObject({ error: 'service_unavailable' });
    await expect(
      cells.east.database.sql`update customers set limits_note = 'late' where operator_id = ${operatorId}`,
    ).rejects.toMatchObject({ code: 'IN007' });
    expect((await move('refused')).json.moved).toBe(true);
  },
  3 * LONG_MS,
);
