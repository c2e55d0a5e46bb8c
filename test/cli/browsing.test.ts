/** What a partner browses, from a terminal and by the API: lists of several pages, the outcome that leads, books and names, and the state of the service. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let run: RunCommand;

beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    {
      id: 'winner',
      title: 'Who wins?',
      kind: 'mutually_exclusive',
      contracts: [
        { id: 'outsider', label: 'Outsider', volume24h: 900, bids: [[0.1, 1000]], asks: [[0.12, 1000]] },
        { id: 'favourite', label: 'Favourite', volume24h: 10, bids: [[0.8, 1000]], asks: [[0.82, 1000]] },
      ],
    },
    ...Array.from({ length: 101 }, (_, n) => ({ id: `more-${n}`, contracts: [{ id: `more-${n}` }] })),
  ]);
  await service.context.board.refresh();
  run = await service.commands();
});
afterAll(() => service.close());

test('the leading outcome of a list is the most probable one', async () => {
  const { stdout } = await run('events', 'list', '--search', 'Who wins', '--output', 'csv');
  const [header = '', row = ''] = stdout.trim().split('\n');
  const cells = Object.fromEntries(header.split(',').map((name, at) => [name, row.split(',')[at]]));
  expect(cells).toMatchObject({
    'leader.label': 'Favourite',
    'leader.probability': '0.81',
    'leader.executableYesCents': '82',
  });
});

test('events list --all reads every page', async () => {
  const { json } = await run('events', 'list', '--all', '--json');
  expect(json.data).toHaveLength(102);
  expect(new Set(json.data.map(({ id }: { id: string }) => id)).size).toBe(102);
});

test('the price history, the book and the names of contracts are in the API', async () => {
  const book = await service.request('GET', '/api/v1/contracts/ctr_favourite/book');
  expect(book.body).toMatchObject({
    bids: [{ price: 0.8, contracts: 1000 }],
    asks: [{ price: 0.82, contracts: 1000 }],
  });
  const history = await service.request('GET', '/api/v1/events/evt_winner/history?contracts=ctr_favourite');
  expect(history.body.data.series).toMatchObject([
    { label: 'Favourite', points: [[expect.any(Number), 0.81, expect.any(String)]] },
  ]);
  const names = await service.request('GET', '/api/v1/contracts?ids=ctr_favourite,ctr_none');
  expect(names.body.data).toEqual([
    { id: 'ctr_favourite', label: 'Favourite', eventId: 'evt_winner', title: 'Who wins?' },
  ]);
});

// contract 40.14
test('whoami shows the key and the service, and prints what the API says of the key', async () => {
  const { stdout } = await run('', 'whoami');
  expect(stdout).toMatch(/^operator +demo /m);
  expect(stdout).toContain(`${service.url}, ok`);
  expect(stdout).toMatch(/^markets +103 open of 103$/m);
  expect(stdout).not.toContain(service.key);
  const { body } = await service.request('GET', '/api/v1/whoami');
  expect(Object.keys((await run('', 'whoami', '--json')).json)).toEqual(Object.keys(body));
});
