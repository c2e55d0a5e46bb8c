/** The ready scenarios of a sandbox tenant that also take commands of the service operator, and webhooks that really arrive. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { freePort } from '../support/free-port.ts';
import { startInlay } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type ScenarioService, startScenarioService } from './scenario-service.ts';

const FOLDER = join(projectRoot, 'fixtures/scenarios/operator');

let world: ScenarioService;
let folder: string;

beforeAll(async () => {
  world = await startScenarioService();
  folder = mkdtempSync(join(tmpdir(), 'inlay-hooks-'));
}, 90_000);

afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(readdirSync(FOLDER))(
  '%s holds',
  async (name) => {
    const result = await world.run(join(FOLDER, name), world.service.key);
    expect(result.steps.filter((step) => !step.ok && !step.skipped)).toEqual([]);
    expect(result.ok).toBe(true);
  },
  90_000,
);

test('the venue keeps its state in the folder that the worker was given, whatever its process was started with', () => {
  expect(existsSync(join(world.env['INLAY_DATA_DIR'] ?? '', 'paper', 'paper.jsonl'))).toBe(true);
});

test('nothing that they registered is left', async () => {
  const { json } = await world.command('webhooks', 'list', '--operator', 'scenario-checks', '--json');
  expect(json.endpoints.filter(({ active: isActive }: { active: boolean }) => isActive)).toEqual([]);
});

describe('webhooks of an endpoint that was added before', () => {
  const BUY = `name: Told
variables: { user: "told-\${uuid}" }
steps:
  - name: a market
    market: {}
    capture: { contract: contractId }
  - name: a buy
    buy: { contract: "\${contract}", side: yes, stake: 10, user: "\${user}", maxSlippage: 0.05 }
    capture: { order: orderId }
  - name: is told
    webhook: { type: order.filled, order: "\${order}" }
    within: 4
    expect: { body: { type: order.filled, orderId: "\${order}", delivered: DELIVERED } }
`;
  const file = (delivered: boolean) => {
    const path = join(folder, 'told.yaml');
    writeFileSync(path, BUY.replace('DELIVERED', String(delivered)));
    return path;
  };
  test('a good secret: the step waits for the delivery itself', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/inlay`;
    const added = await world.command('webhooks', 'add', '--operator', 'demo', '--url', url, '--json');
    const flags = ['--webhook-port', String(port), '--webhook-secret'];
    const good = await world.command('sandbox', 'run', file(true), ...flags, added.json.secret, '--json');
    expect([good.exitCode, good.json.ok]).toEqual([0, true]);
    expect(good.stdout + good.stderr).not.toContain(added.json.secret);
    const bad = await world.command('sandbox', 'run', file(true), ...flags, 'whsec_of_another');
    expect(bad.exitCode).toBe(5);
    expect(bad.stdout).toContain('delivery arrived within 4 s; 1 arrived with a bad signature');
    expect(bad.stderr).toContain('answered 401: mismatch');
    await world.command('webhooks', 'remove', added.json.endpointId, '--yes');
  });

  test('without a receiver the event was emitted, and the run says that this is all it knows', async () => {
    const result = await world.command('sandbox', 'run', file(false), '--json');
    expect([result.exitCode, result.json.ok]).toEqual([0, true]);
    expect(result.stderr).toContain('No receiver: webhook steps pass when the event was emitted');
  });

  test('the flags come together, and a taken port is said', async () => {
    expect((await world.command('sandbox', 'run', file(true), '--webhook-port', '0')).exitCode).toBe(2);
    const taken = String(new URL(world.service.url).port);
    const result = await world.command('sandbox', 'run', file(true), '--webhook-port', taken, '--webhook-secret', 'x');
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(`Cannot listen on 127.0.0.1:${taken}`);
  });
});

test('Ctrl-C: 130, the report says so, and what was registered is removed', async () => {
  const path = join(folder, 'long.yaml');
  writeFileSync(
    path,
    `name: Long\nsteps:\n  - name: told\n    endpoint: { operator: demo }\n  - name: waits\n    wait: 300\n`,
  );
  const program = startInlay(['sandbox', 'run', path, '--allow-commands'], {
    env: { ...world.env, XDG_CONFIG_HOME: folder },
  });
  await program.prints(/^ok 1/m);
  const active = async () => {
    const { json } = await world.command('webhooks', 'list', '--operator', 'demo', '--json');
    return json.endpoints.filter(({ active: isActive }: { active: boolean }) => isActive).length;
  };
  expect(await active()).toBe(1);
  program.child.kill('SIGINT');
  const { code, stdout } = await program.ended;
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([130, 'Bail out! Interrupted.']);
  await until(active, (count) => count === 0);
}, 60_000);
