/** `sandbox run`: the ready scenarios against a running service with the paper venue's worker, and what a bad file gets. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios');
const ready = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

let service: World;
let run: RunCommand;
let folder: string;

beforeAll(async () => {
  service = await openWorld();
  await service.openMarket('scripted');
  const five = await service.openMarket('five', undefined, { fiveMinute: true, category: 'crypto' });
  await service.sql`
    with r as (update board_revision set revision = revision + 1 returning revision), c as (
      update contracts set closes_at = now() + interval '5 minutes', revision = r.revision from r where contract_id = ${five.contractId})
    update events set closes_at = now() + interval '5 minutes', revision = r.revision from r where event_id = ${five.eventId}`;
  await service.context.board.refresh();
  folder = await mkdtemp(join(tmpdir(), 'inlay-scenarios-'));
  run = await service.commands();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

async function runText(text: string, ...argv: string[]) {
  const file = join(folder, 'scenario.yaml');
  await writeFile(file, text);
  return run('sandbox', 'run', file, ...argv);
}

describe('ready scenarios', () => {
  test('there is a dozen of them', () => {
    expect(ready.length).toBeGreaterThanOrEqual(12);
  });

  test.each(ready)('%s holds', async (name) => {
    const result = await run('sandbox', 'run', join(FOLDER, name), '--json');
    const failed = result.json.files?.[0].steps.filter(
      (step: { ok: boolean; skipped: boolean }) => !step.ok && !step.skipped,
    );
    expect([result.exitCode, failed]).toEqual([0, []]);
  });
});

describe('reports', () => {
  const PASSING = `name: Two steps
steps:
  - name: categories
    request: { path: /categories }
    expect: { status: 200, body: { totalEvents: { $gt: 0 }, data: { $contains: { category: politics } } } }
    capture: { label: "data[0].label", first: data.0.category }
  - name: an unknown event
    request: { path: "/api/v1/events/\${first}-\${uuid}" }
    expect: { status: 404, error: unknown_event }
`;

  // contract 40.9
  test('TAP by default', async () => {
    const result = await runText(PASSING);
    expect(result.exitCode).toBe(0);
    expect(result.stdout.replace(/in \d+\.\d+ s/, 'in … s')).toBe(
      'TAP version 14\n1..2\nok 1 - Two steps: categories\nok 2 - Two steps: an unknown event\n' +
        '# 2 passed, 0 failed, 0 skipped in … s\n',
    );
  });

  // contract 38.4, contract 40.9
  test('a step that does not hold: exit 5, what was expected and what came, the rest skipped', async () => {
    const text = PASSING.replace('$gt: 0', '$gt: 1000000').replace('status: 404', 'status: 200');
    const tap = await runText(text);
    expect(tap.exitCode).toBe(5);
    expect(tap.stdout).toContain('not ok 1 - Two steps: categories\n  ---\n  status: 200');
    expect(tap.stdout).toContain('- at: "totalEvents"\n      expected: {"$gt":1000000}\n      actual: 2');
    expect(tap.stdout).toContain('ok 2 - Two steps: an unknown event # SKIP');
    const json = await runText(text, '--json');
    expect(json.json).toMatchObject({
      ok: false,
      passed: 0,
      failed: 1,
      skipped: 1,
      files: [{ ok: false, steps: [{ ok: false, problems: [{ path: 'totalEvents' }] }, { skipped: true }] }],
    });
    const junit = await runText(text, '--report', 'junit');
    expect(junit.stdout).toContain('<testsuites tests="2" failures="1" skipped="1"');
    expect(junit.stdout).toContain('<failure message="totalEvents: expected {&quot;$gt&quot;:1000000}, got 2">');
    expect((await runText(text, '--format', 'json')).stdout).toMatch(/^{/);
  });

  // contract 40.10
  test('variables from the command line, groups side by side, repeats and identities', async () => {
    const result = await runText(
      `name: Groups
variables: { user: "group-\${uuid}", contract: none }
steps:
  - name: three at a time
    parallel:
      - name: one
        buy: { contract: "\${contract}", side: yes, stake: 10, user: "\${user}-1" }
        expect: { status: 201, identities: true }
        capture: { first: orderId }
      - name: two
        buy: { contract: "\${contract}", side: no, stake: 10, user: "\${user}-2" }
        expect: { status: 201 }
  - name: many
    repeat: 3
    buy: { contract: "\${contract}", side: yes, stake: 5, user: "\${user}-1", clientOrderId: "many-\${index}" }
    expect: { status: 201, identities: true, body: { clientOrderId: "many-\${index}" } }
  - name: all of them
    request: { path: /api/v1/orders, query: { externalUserId: "\${user}-1" } }
    expect: { body: { count: 4, orders: { $contains: { orderId: "\${first}" } } } }
`,
      '--var',
      'contract=ctr_scripted',
      '--json',
    );
    expect(result.json).toMatchObject({ ok: true, passed: 4 });
    expect(result.json.files[0].steps[0].name).toBe('three at a time: one');
  });
});

describe('what comes at the end', () => {
  test('finally is done after a step that did not hold, without what that step would have captured', async () => {
    const { exitCode, json } = await runText(
      `name: Ends
variables: { user: "end-\${uuid}" }
steps:
  - name: known
    request: { path: /categories }
    capture: { category: data.0.category }
  - name: does not hold
    request: { path: /categories }
    expect: { status: 404 }
    capture: { never: data }
  - name: not done
    market: {}
finally:
  - name: with what is known
    request: { path: "/events?category=\${category}" }
  - name: with what is not
    request: { path: "/events?category=\${never}" }
`,
      '--json',
    );
    expect(exitCode).toBe(5);
    const told = json.files[0].steps.map(({ ok, skipped }: { ok: boolean; skipped: boolean }) => [ok, skipped]);
    expect(told).toEqual([
      [true, false],
      [false, false],
      [false, true],
      [true, false],
      [false, true],
    ]);
  });

  test('a step that is not answered in its time, and one that never holds within it', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const text = 'name: Silent\nsteps:\n  - { name: a, timeout: 0.3, request: { path: /categories } }\n';
    const late = await runText(text, '--api-url', `http://127.0.0.1:${port}`, '--json');
    silent.closeAllConnections();
    silent.close();
    expect([late.exitCode, late.json.files[0].steps[0].problems]).toEqual([
      5,
      [{ path: 'status', expected: 'an answer within 0.3 s', actual: null }],
    ]);
    const started = performance.now();
    const never = await runText(
      'name: Never\nsteps:\n  - { name: a, within: 0.6, request: { path: /categories }, expect: { status: 418 } }\n',
    );
    expect(never.exitCode).toBe(5);
    expect(performance.now() - started).toBeGreaterThan(600);
  });

  test('a file has a time as a whole: the step under way fails, the rest is skipped, finally is done', async () => {
    const text = `name: Long
timeout: 0.5
steps:
  - name: known
    request: { path: /categories }
  - name: takes too long
    wait: 300
  - name: not done
    market: {}
finally:
  - name: tidies up
    request: { path: /categories }
`;
    const problems = [{ path: 'timeout', expected: 'the whole file within 0.5 s', actual: 'still running' }];
    const waits = await runText(text, '--json');
    expect(waits.exitCode).toBe(5);
    expect(waits.json.files[0].steps).toMatchObject([
      { ok: true },
      { ok: false, skipped: false, problems },
      { skipped: true },
      { ok: true, skipped: false },
    ]);
    const action = 'request: { path: /categories }\n    expect: { status: 418 }\n    within: 300';
    const polls = await runText(text.replace('wait: 300', action), '--json');
    expect([polls.exitCode, polls.json.files[0].steps[1].problems]).toEqual([5, problems]);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const alone = 'name: Silent\nsteps:\n  - { name: a, request: { path: /categories } }\n';
    const asks = await runText(alone, '--timeout', '1', '--api-url', `http://127.0.0.1:${port}`);
    silent.closeAllConnections();
    silent.close();
    expect(asks.exitCode).toBe(5);
    expect(asks.stdout).toContain('expected: "the whole file within 1 s"');
    const roomy = await runText(text.replace('wait: 300', 'wait: 0.1'), '--timeout', '60', '--json');
    expect([roomy.exitCode, roomy.json.ok]).toEqual([0, true]);
    for (const wrong of ['0', '3601', 'long']) {
      expect((await runText(alone, '--timeout', wrong)).exitCode).toBe(2);
    }
  });

  test('a path that captures nothing is reported with the names that exist, without their values', async () => {
    const { exitCode, stdout } = await runText(
      'name: Typo\nsteps:\n  - { name: a, mint: { user: typo-1 }, capture: { token: tokn } }\n',
    );
    expect(exitCode).toBe(5);
    expect(stdout).toContain('"token"');
    expect(stdout).not.toContain('ies1.');
  });
});

describe('a file with a mistake runs nothing', () => {
  const orders = () => service.sql`select count(*)::int as count from orders`;

  test.each([
    ['not YAML', 'name: [\nsteps:\n', /scenario\.yaml:\d+: not YAML/],
    ['no steps', 'name: x\n', /scenario\.yaml:1: steps: missing: expected a list/],
    [
      'an unknown field',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n    expct: {}\n',
      /:5: step "a": expct: unknown field "expct"; did you mean "expect"/,
    ],
    [
      'no action',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n  - name: b\n',
      /:5: step "b": expected exactly one of request, /,
    ],
    [
      'two actions',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n    market: {}\n',
      /:3: step "a": expected exactly one of/,
    ],
    [
      'a bad path',
      'name: x\nsteps:\n  - name: a\n    request: { path: api }\n',
      /:4: step "a": request\.path: expected a path that begins with/,
    ],
    [
      'a bad status',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n    expect:\n      status: ok\n',
      /:6: step "a": expect\.status: expected a number or a list/,
    ],
    [
      'an unknown variable',
      `name: x\nsteps:\n  - name: a\n    cancel:\n      order: "\${ordr}"\n`,
      /:5: step "a": cancel\.order: \$\{ordr\} is not known here; expected one of uuid/,
    ],
    [
      'an unknown matcher',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n    expect:\n      body:\n        a: { $above: 1 }\n',
      /:7: step "a": expect\.body\.a\.\$above: there is no matcher \$above; expected one of/,
    ],
    [
      'a bad pattern',
      'name: x\nsteps:\n  - name: a\n    wait: 1\n    expect: { body: { $match: "(" } }\n',
      /:5: step "a": expect\.body\.\$match: "\(" is not a regular/,
    ],
    [
      'a mistake in a group',
      'name: x\nsteps:\n  - name: a\n    parallel:\n      - name: b\n        wat: 1\n',
      /:6: step "a": step "b": wat: unknown field/,
    ],
  ])('%s', async (_what, text, message) => {
    const before = await orders();
    const result = await runText(text);
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toMatch(message);
    expect(await orders()).toEqual(before);
    const json = await runText(text, '--json');
    expect(json.json).toMatchObject({
      error: 'invalid_scenario',
      mistakes: expect.arrayContaining([
        expect.objectContaining({ file: expect.any(String), line: expect.any(Number) }),
      ]),
    });
  });

  test('and so does a file that is not there, or none, or no key', async () => {
    const missing = await run('sandbox', 'run', join(folder, 'none.yaml'));
    expect(missing.stderr).toMatch(/none\.yaml:1: there is no such file/);
    expect(missing.exitCode).toBe(3);
    expect((await run('sandbox', 'run')).exitCode).toBe(2);
    const { INLAY_API_KEY } = process.env;
    delete process.env['INLAY_API_KEY'];
    const keyless = await runText('name: x\nsteps:\n  - { name: a, market: {} }\n', '--json');
    expect([keyless.exitCode, keyless.json.error]).toEqual([4, 'missing_credentials']);
    process.env['INLAY_API_KEY'] = INLAY_API_KEY;
  });

  test('a service that is down is reported in one line, exit 1', async () => {
    const down = await runText('name: x\nsteps:\n  - { name: a, market: {} }\n', '--api-url', 'http://127.0.0.1:1');
    expect(down.exitCode).toBe(1);
    expect(down.stdout).toContain('Bail out!');
    expect(down.stderr).toMatch(/^service_unreachable: http:\/\/127\.0\.0\.1:1 does not answer/);
  });
});
