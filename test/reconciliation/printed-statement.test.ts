/** Printed statements and the folder of a month: compared with the ledger to the cent, as pages, on paper, of any range and of a closed period. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accountTitle, checkSide, type PrintableStatement } from '../../src/cli/statement/printable-statement.ts';
import { statementPage, statementStyle } from '../../src/cli/statement/statement-page.ts';
import { startOf } from '../../src/cli/times.ts';
import { connect } from '../../src/db/client.ts';
import { loadLogSigner, sealFeeds } from '../../src/ledger/log/sign-log.ts';
import { ACCOUNTS, holdAccount, walletAccount } from '../../src/ledger/render/entry.ts';
import { hasChromium, openBrowser } from '../support/browser.ts';
import { readEntries, readItems } from '../support/items.ts';
import { awayFromMidnight } from '../support/one-minute.ts';
import { atTerminal, type RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let world: World;
let run: RunCommand;
let folder: string;
beforeAll(async () => {
  // no month may end while these tests run
  await awayFromMidnight();
  world = await openWorld();
  folder = mkdtempSync(join(tmpdir(), 'inlay-statement-'));
  run = await world.commands({ XDG_CONFIG_HOME: folder });
  const open = await world.openMarket('statement-open');
  const won = await world.openMarket('statement-won');
  await world.buy(open, 'ana', 'YES', 1234.56);
  await world.sell(open, 'ana', 500);
  await world.buy(won, '<b>ben</b>', 'NO', 12.34);
  await world.buy(won, 'ana', 'YES', 7);
  await world.resolve(won, 'YES');
  const { environment, secrets } = world.context;
  await sealFeeds(world.sql, loadLogSigner(environment, secrets));
}, 300_000);
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A credit balance is negative. */
const cents = (text: string) =>
  Math.round(Number(text.replace(/ [DC]r$/, '').replaceAll(',', '')) * (text.endsWith(' Cr') ? -100 : 100));
/** The cells of the rows of the table below a heading. */
function rowsBelow(page: string, heading: string): string[][] {
  const table = page.split(`<h2>${heading}</h2>`)[1]?.split('</table>')[0] ?? '';
  return table
    .split('<tr')
    .slice(1)
    .map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text = '']) => text));
}
const row = (rows: readonly string[][], name: string) => rows.find(([first]) => first === name) ?? [];

async function held(condition: string): Promise<number> {
  const [sum] = await world.sql.unsafe(
    `select -coalesce(sum(amount), 0)::bigint as amount from ledger_lines where operator_id = '${world.operator.operatorId}' and ${condition}`,
  );
  return Number(sum?.['amount']);
}

describe('a statement of any range', () => {
  test('has what the ledger has, to the cent', async () => {
    const out = join(folder, 'all.html');
    const { exitCode, json } = await run('periods', 'statement', '--out', out, '--by', 'market', '--json');
    expect([exitCode, json.file]).toEqual([0, out]);
    const page = readFileSync(out, 'utf8');
    const wallets = rowsBelow(page, 'Customers’ money held in wallets');
    expect(cents(row(wallets, 'Opening balance')[2] ?? '')).toBe(0);
    const closing = cents(row(wallets, 'Closing balance')[2] ?? '');
    expect(closing).toBe(await held(`(account_id like 'wallet:%' or account_id like 'hold:%')`));
    const moved = wallets.slice(2, -1).map(([, , amount = '']) => cents(amount));
    expect(moved.length).toBeGreaterThan(3);
    expect(moved.reduce((sum, amount) => sum + amount, 0)).toBe(closing);
    const total = row(rowsBelow(page, 'Revenue'), 'Total');
    expect(cents(total[4] ?? '')).toBe(await held(`account_id = 'fees:platform'`));
    // to be read by people
    expect(total[1]).toMatch(/^1,2\d\d\.\d\d$/);
    expect(page).toContain(`inlay/${world.operator.operatorId}`);
  });

  test('of two ranges in a row: the second opens with what the first closed with', async () => {
    const middle = (await readEntries(world.sql, world.operator.operatorId))[4];
    const at = middle?.recordedAt.toISOString() ?? '';
    const of = async (...range: string[]) =>
      (await run('periods', 'statement', '--out', join(folder, 'part.html'), ...range, '--json')).json.sides[0];
    const [first, second] = [await of('--to', at), await of('--from', at)];
    expect(first.closing).not.toBe('0.00');
    expect(second.opening).toBe(first.closing);
  });

  test('names the items of its range, and the checkpoint that covers them', async () => {
    const items = await readItems(world.sql, world.operator.operatorId);
    const later = items.filter(({ occurredAt }, index) => occurredAt > (items[index - 1]?.occurredAt ?? occurredAt));
    const at = later[2]?.occurredAt ?? '';
    const through = Number(later[2]?.sequence) - 1;
    const last = items.at(-1)?.sequence;
    const out = join(folder, 'covered.html');
    const statementOf = async (...range: string[]) => {
      await run('periods', 'statement', '--out', out, ...range);
      return readFileSync(out, 'utf8');
    };
    const covers = `The signed checkpoint below covers them: it commits the service to the items 1 to ${last}.`;
    expect(await statementOf('--to', at)).toContain(`the items 1 to ${through} of the feed. ${covers}`);
    expect(await statementOf('--from', at)).toContain(`the items ${through + 1} to ${last} of the feed. ${covers}`);
    expect(await statementOf('--to', '2020-01-01')).toContain('no item of the feed');
    await world.buy(await world.openMarket('statement-later'), 'ana', 'YES', 5);
    expect(await statementOf()).toContain(`to the items 1 to ${last} only`);
    const { environment, secrets } = world.context;
    await sealFeeds(world.sql, loadLogSigner(environment, secrets));
  });

  test('names of customers are text, also in a page of customers', async () => {
    const out = join(folder, 'customers.html');
    await run('periods', 'statement', '--out', out, '--by', 'customer');
    const page = readFileSync(out, 'utf8');
    expect(page).toContain('&lt;b&gt;ben&lt;/b&gt;');
    expect(page).not.toContain('<b>');
    expect(page).not.toMatch(/<script|src=|href=/);
  });

  test.skipIf(!hasChromium)('long tables become several sheets of paper', async () => {
    const out = join(folder, 'long.html');
    await run('periods', 'statement', '--out', out);
    const page = readFileSync(out, 'utf8');
    const [line = ''] = /<tr><td>\d{4}-.*?<\/tr>/s.exec(page) ?? [];
    const browser = await openBrowser();
    try {
      const tab = await (await browser.newContext()).newPage();
      const pages = async (html: string) => {
        await tab.setContent(html);
        const bytes = (await tab.pdf({ preferCSSPageSize: true })).toString('latin1');
        return bytes.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      };
      expect(await pages(page)).toBeLessThanOrEqual(2);
      const { violations } = await new AxeBuilder({ page: tab }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(await pages(page.replace(line, line.repeat(100)))).toBeGreaterThan(2);
    } finally {
      await browser.close();
    }
  });

  test.each(['all.docx', 'all.pdf'])('a file named %s is wrong usage', async (name) => {
    const { exitCode, stderr } = await run('periods', 'statement', '--out', join(folder, name));
    expect([exitCode, stderr.includes('statement.html'), existsSync(join(folder, name))]).toEqual([2, true, false]);
  });
});

test('the signed statement of a closed period as a page: accounts with opening and closing balances', async () => {
  await run('periods', 'close', '--operator', world.operator.operatorId, '--until', new Date().toISOString(), '--yes');
  const out = join(folder, 'period.html');
  const { exitCode, stderr } = await run('periods', 'statement', '--operator', world.operator.operatorId, '--out', out);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Period 1')]);
  const accounts = rowsBelow(readFileSync(out, 'utf8'), 'Accounts');
  const [, opening = '', debits = '', credits = '', closing = ''] = row(accounts, 'Total');
  expect([cents(opening), cents(closing)]).toEqual([0, 0]);
  expect(cents(debits)).toBe(cents(credits));
  const stakes = row(accounts, 'Stakes of open positions <small>stakes</small>');
  expect(cents(stakes[4] ?? '')).toBe(-(await held(`account_id = 'stakes'`)));
  const wallet = row(accounts, 'Wallet of ana <small>wallet:ana</small>');
  expect(wallet[4]).toMatch(/^\d{1,2},\d{3}\.\d\d Cr$/);
  expect(cents(wallet[4] ?? '')).toBe(-(await held(`account_id = 'wallet:ana'`)));
  expect(accounts.flat().join()).not.toMatch(/-\d/);
});

test('a terminal shows a closed period as tables, and everything else gets the signed bytes', async () => {
  const argv = ['statement', '--operator', world.operator.operatorId] as const;
  const bytes = await run('periods', ...argv);
  expect(JSON.parse(bytes.stdout.split('\n')[0] ?? '')).toMatchObject({ kind: 'inlay/period-statement', period: 1 });
  const shown = await atTerminal(80, () => run('periods', ...argv));
  const stdout = stripVTControlCharacters(shown.stdout);
  expect(stdout).toMatch(/^period +1\nfrom +the beginning\n/);
  expect(stdout).toMatch(/\naccount +opening +debits +credits +closing\n/);
  expect(stdout).toMatch(/\nWallet of ana +0\.00 +[\d,.]+ +[\d,.]+ +-\d/);
  expect(stdout).not.toContain('{');
});

test('a page has a main part, keeps its signatures with the checkpoint, and sums many wallets', () => {
  const wallets = Array.from({ length: 41 }, (_, number) => ({
    ...{ accountId: `wallet:u-${number}`, opening: '0.00', debits: '0.00', credits: '1.50', closing: '-1.50' },
  }));
  const page = statementPage({
    ...{ number: 'demo-1', operator: { name: 'Demo', slug: 'demo', mode: 'sandbox' }, from: null },
    ...{ to: '2026-11-01T00:00:00.000Z', timeZone: 'UTC', printedAt: '2026-11-02T00:00:00.000Z', sides: [] },
    report: { ranAt: '2026-11-02T00:00:00.000Z', ok: true, findings: [] },
    accounts: [...wallets, { ...wallets[0], accountId: 'stakes' }] as PrintableStatement['accounts'],
    checkpoint: null,
  } as unknown as PrintableStatement);
  expect(page).toMatch(/<main>[\s\S]*<div class="closing"><h2>Checkpoint[\s\S]*Signature[\s\S]*<\/div>\n<\/main>/);
  const [many, one] = rowsBelow(page, 'Accounts').slice(1);
  expect(many).toEqual(['Wallets of 41 customers <small>wallet:*</small>', '0.00', '0.00', '61.50', '61.50 Cr']);
  expect(one?.[0]).toBe('Stakes of open positions <small>stakes</small>');
});

test('a statement has a number, a period in words, a place for signatures, and the letterhead that it is given', async () => {
  const { slug } = world.operator;
  const out = join(folder, 'headed.html');
  const logo = join(folder, 'logo.svg');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const ofRange = await run('periods', 'statement', '--to', '2026-11-01', '--letterhead', logo, '--out', out);
  expect(ofRange.exitCode).toBe(0);
  const range = readFileSync(out, 'utf8');
  expect(range).toContain(`<dt>Number</dt><dd>${slug}-20261101</dd>`);
  expect(range).toContain('since the beginning, until 2026-11-01 00:00:00 (UTC)');
  expect(range).toContain(`src="data:image/svg+xml;base64,${readFileSync(logo, 'base64')}"`);
  expect(range).toMatch(/Prepared by.*Signature.*Approved by.*Signature/s);
  await run('periods', 'statement', '--operator', slug, '--out', out);
  const period = readFileSync(out, 'utf8');
  expect(period).toContain(`<dt>Number</dt><dd>${slug}-1</dd>`);
  expect(period).toContain('since the beginning');
  expect(period).not.toContain('1970');
  const wrong = await run('periods', 'statement', '--operator', slug, '--letterhead', 'logo.bmp', '--out', out);
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('logo.bmp is not a PNG, JPEG or SVG')]);
});

describe('the folder of a month', () => {
  test('has the exports, the statement and the report, and checksums that agree', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const out = join(folder, 'month');
    const { exitCode, json } = await run('reconciliation', 'month', month, '--out', out, '--json');
    expect([exitCode, json.ok, json.from]).toEqual([0, true, `${month}-01T00:00:00.000Z`]);
    const kinds = ['ledger', 'orders', 'positions', 'settlements', 'fees', 'revenue', 'statement'];
    const names = [...kinds.map((kind) => `${kind}.csv`), 'statement.html', 'report.json'];
    expect(readdirSync(out).sort()).toEqual([...names, 'SHA256SUMS'].sort());
    expect(existsSync(`${out}.part`)).toBe(false);
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out });
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8');
    expect(sums.match(/^[0-9a-f]{64} {2}/gm)).toHaveLength(names.length);
    expect(new Set(sums.match(/^# to: .*$/gm))).toEqual(new Set([`# to: ${json.to}`]));
    const [, debits] = /^# debit: (.*)$/m.exec(sums) ?? [];
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ ok: true, trialBalance: { debits } });
    const [header = '', first = ''] = readFileSync(join(out, 'orders.csv'), 'utf8').split('\n');
    expect(header.split(',').slice(-2)).toEqual(['eventTitle', 'label']);
    expect(first.split(',')).toHaveLength(header.split(',').length);
    expect(readFileSync(join(out, 'statement.html'), 'utf8')).toContain(
      `${month}-01 00:00:00 to ${json.to.slice(0, 10)}`,
    );
    const again = await run('reconciliation', 'month', month, '--out', out);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
  });

  test.each(['2026-13', '2026', 'november'])('%s is no month: exit 2', async (text) => {
    const { exitCode, stderr } = await run('reconciliation', 'month', text);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('is not a month')]);
  });

  test('a month is that of its time zone, and before the books it is empty', async () => {
    const out = join(folder, 'early');
    const zone = ['--time-zone', 'Europe/Zagreb'];
    const { json } = await run('reconciliation', 'month', '2020-10', ...zone, '--out', out, '--json');
    expect([json.from, json.to]).toEqual(['2020-09-30T22:00:00.000Z', '2020-10-31T23:00:00.000Z']);
    expect(readFileSync(join(out, 'orders.csv'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('with a report that is not ok it is written, and ends with 5', async () => {
    await damage(1);
    const out = join(folder, 'wrong');
    const { exitCode, stderr } = await run('reconciliation', 'month', '2026-10', '--out', out);
    await damage(-1);
    expect([exitCode, stderr]).toEqual([5, expect.stringContaining('NOT IN ORDER')]);
    expect(JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')).ok).toBe(false);
  });
});

test('every account of the chart has a name for people', () => {
  for (const accountId of [...Object.values(ACCOUNTS), walletAccount('ana'), holdAccount('ana')]) {
    expect(accountTitle(accountId)).not.toBe(accountId);
  }
  expect(accountTitle('wallet:a:b')).toBe('Wallet of a:b');
});

test('a statement says that the books are in order, or what is wrong with them', async () => {
  const out = join(folder, 'state.html');
  const slug = world.operator.slug;
  const pages = async () => {
    await run('periods', 'statement', '--operator', slug, '--out', out);
    const period = readFileSync(out, 'utf8');
    const { stderr } = await run('periods', 'statement', '--out', out);
    return { period, range: readFileSync(out, 'utf8'), stderr };
  };
  const right = await pages();
  expect(right.period).toMatch(/<dt>Books<\/dt><dd>The books were in order when they were checked at \d{4}-/);
  expect(right.range).toContain('The books were in order');
  await damage(1);
  const wrong = await pages();
  const fault = /<dd class="fault">THE BOOKS WERE NOT IN ORDER .* with \d+ critical findings?: .*account_balance/;
  expect(wrong.period).toMatch(fault);
  expect(wrong.range).toMatch(fault);
  expect(wrong.stderr).toContain('THE BOOKS WERE NOT IN ORDER');
  await damage(-1);
});

/** Changes the balance of an account behind the back of the service, as its owner could. */
async function damage(cents: number): Promise<void> {
  const owner = connect(world.database.ownerUrl, { max: 1, applicationName: 'damage' });
  await owner`update operator_ledgers set stakes = stakes + ${cents} where operator_id = ${world.operator.operatorId}`;
  await owner.end();
}

test('movements that do not lead to the closing balance are not printed', () => {
  const movements = [{ movementType: 'ORDER_FILL', entries: 1, amount: '-0.01' }];
  const side = { side: 'hosted', opening: '5.00', movements, closing: '5.00' } as const;
  expect(() => checkSide(side)).toThrow('lead to 4.99');
});

test('the name of an operator cannot end the style of the page', () => {
  const style = statementStyle(['"} </style><b>', ''], '');
  expect(style).not.toContain('</style>');
  expect(style).not.toContain('""}');
});

test.each([
  ['2026-11-01', 'Europe/Zagreb', '2026-10-31T23:00:00.000Z'],
  ['2026-07-01', 'Europe/Zagreb', '2026-06-30T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Zagreb', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Zagreb', '2026-10-25T23:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ['2026-11-01', 'Pacific/Kiritimati', '2026-10-31T10:00:00.000Z'],
  ['2026-11-01T12:00:00Z', 'Europe/Zagreb', '2026-11-01T12:00:00Z'],
])('%s in %s begins at %s', (text, timeZone, expected) => {
  expect(startOf(text, timeZone)).toBe(expected);
});
