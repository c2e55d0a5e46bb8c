/** The samples of the guides run against a real service, and the samples of the reference are programs that their compilers take. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { type DescribedApi, operationsOf } from '../../tools/site/described-api.ts';
import { requestSamples } from '../../tools/site/request-samples.ts';
import { writeClientPackage } from '../support/client-package.ts';
import { freePort } from '../support/free-port.ts';
import { readDescription } from '../support/openapi.ts';
import { type Ended, runProgram, startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type Live, openLive } from '../support/world.ts';
import { codeBlocks, type GuideProgram, guidePrograms } from './guide-samples.ts';
import { buildSite } from './site-pages.ts';

// Compilers and processes take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const programs = guidePrograms();
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const NAMES = { curl: 'sample.sh', ts: 'sample.ts', python: 'sample.py' } as const;

/** What a sample prints when all went well. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'first-trade': /\b(?:filled)\b[\s\S]*\b\d+\.\d\d\b/,
  embed: /ses_|"token"/,
  reconciliation: /(?:settlements up to item \d+|order\.state_changed)[\s\S]*[tT]rue/,
  'sandbox-scenarios': /partially_filled[\s\S]*10000\.00/,
  errors: /market_not_found/,
  'going-live': /pending_venue_execution/,
};

let live: Live;
let folder: string;

beforeAll(async () => {
  await buildSite();
  live = await openLive({ job: false });
  folder = mkdtempSync(join(tmpdir(), 'inlay-samples-'));
  // What an integrator has: the clients of /docs/downloads, and the types of Node.
  copyFileSync(join(projectRoot, 'fixtures', 'operator-python', 'inlay.py'), join(folder, 'inlay.py'));
  await writeClientPackage(join(folder, 'node_modules', 'inlay'));
  mkdirSync(join(folder, 'node_modules', '@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await live.close();
});

function write({ guide, language, code }: GuideProgram): string {
  const path = join(folder, `${guide}-${NAMES[language]}`);
  writeFileSync(path, code);
  return path;
}

function commandOf(program: GuideProgram): [string, string[]] {
  const path = write(program);
  switch (program.language) {
    case 'curl':
      return ['bash', ['-euo', 'pipefail', path]];
    case 'python':
      return ['python3', [path]];
    case 'ts':
      return [process.execPath, ['--no-warnings', path]];
  }
}

const missing = ({ language }: GuideProgram) =>
  (language === 'python' && !hasPython) || (language === 'curl' && !hasCurl);

test('every guide is tried, in each language in which it has samples', () => {
  const tried = [...Object.keys(PRINTS), 'webhooks'].toSorted();
  expect([...new Set(programs.map(({ guide }) => guide))].toSorted()).toEqual(tried);
  expect(programs.filter(({ language }) => language === 'ts').length).toBe(tried.length);
  expect(programs.filter(({ language }) => language === 'python').length).toBe(tried.length);
});

for (const program of programs.filter(({ guide }) => guide !== 'webhooks')) {
  test.skipIf(missing(program))(`${program.guide} runs in ${program.language}`, async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    await tenant.place('player-1');
    const [command, args] = commandOf(program);
    const ran: Ended = await runProgram(command, args, {
      cwd: folder,
      env: { INLAY_API_URL: live.url, INLAY_API_KEY: tenant.key },
    });
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    expect(ran.stdout).toMatch(PRINTS[program.guide] ?? /^$/);
    expect(await tenant.audit()).toEqual([]);
  });
}

for (const program of programs.filter(({ guide }) => guide === 'webhooks')) {
  test.skipIf(missing(program))(
    `the receiver in ${program.language} takes a genuine delivery once, and no other`,
    async () => {
      const secret = 'whsec_of_a_test';
      const port = await freePort();
      const [command, args] = commandOf(program);
      const receiver = startProgram(command, args, {
        cwd: folder,
        env: { INLAY_WEBHOOK_SECRET: secret, PORT: String(port) },
      });
      const body = JSON.stringify({
        id: 'evn_1',
        type: 'order.filled',
        dedupeKey: 'order.filled:ord_1:fil_1',
        data: {},
      });
      const deliver = async (signature: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}/hooks`, {
          method: 'POST',
          headers: { 'service-signature': signature, 'content-type': 'application/json' },
          body,
        });
        return answer.status;
      };
      const now = Math.floor(Date.now() / 1000);
      const genuine = signatureHeader(secret, now, body);
      try {
        await until(() => deliver(genuine), 60_000);
        expect(await deliver(genuine)).toBe(204);
        expect(await deliver(signatureHeader('whsec_another', now, body))).toBe(401);
        expect(await deliver(signatureHeader(secret, now - 1000, body))).toBe(401);
        expect(await deliver(`t=${now},v1=00`)).toBe(401);
        expect(await deliver(`t=${now},v1=\u00e9`)).toBe(401);
        await receiver.prints(/order\.filled/);
        expect(receiver.output().stdout.match(/order\.filled:ord_1/g)).toHaveLength(1);
      } finally {
        receiver.child.kill();
        await receiver.ended;
      }
    },
  );
}

test.skipIf(!hasPython)('the blocks of the page about inlay.py are Python, and import what it has', async () => {
  const blocks = codeBlocks('python', 'py');
  expect(blocks.length).toBeGreaterThan(3);
  const program = `import ast, json, os
for block in json.loads(os.environ["BLOCKS"]):
    tree = ast.parse(block)
    exec(compile(ast.Module([one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))], []), "block", "exec"))`;
  const ran = await runProgram('python3', ['-c', program], { cwd: folder, env: { BLOCKS: JSON.stringify(blocks) } });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
});

describe('the samples of the reference', () => {
  const samples = async () => {
    return operationsOf((await readDescription(live)) as DescribedApi).map((operation) => ({
      name: operation.operationId,
      ...requestSamples(operation),
    }));
  };

  test('and those of the guides are TypeScript that the typed client takes', async () => {
    const lines = (await samples()).map(
      ({ name, ts }) => `async function ${name}(client: InlayClient, token: string) {\n${ts}\n}\nvoid ${name};`,
    );
    writeFileSync(
      join(folder, 'reference.ts'),
      `import type { InlayClient } from 'inlay/client';\n${lines.join('\n')}\n`,
    );
    const files = programs.filter(({ language }) => language === 'ts').map(write);
    const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
    const compiled = await runProgram(
      process.execPath,
      [compiler, ...flags, '--preserveSymlinks', 'reference.ts', ...files],
      { cwd: folder },
    );
    expect(compiled.stdout).toBe('');
  });

  test.skipIf(!hasPython)('are Python', async () => {
    const path = join(folder, 'reference.py');
    writeFileSync(path, (await samples()).map(({ python }) => python).join('\n'));
    const parsed = await runProgram('python3', ['-c', `import ast; ast.parse(open(${JSON.stringify(path)}).read())`]);
    expect(parsed.stderr).toBe('');
  });

  test('are commands of a shell', async () => {
    const path = join(folder, 'reference.sh');
    writeFileSync(path, (await samples()).map(({ curl }) => curl).join('\n'));
    expect((await runProgram('bash', ['-n', path])).stderr).toBe('');
  });

  test.skipIf(!hasCurl)('that only read are answered as their operation says', async () => {
    const tenant = await live.tenant({ mode: 'sandbox' });
    const reading = (await samples()).filter(
      ({ name }) => /^(?:list|get|read|whoami)/.test(name) && !name.includes('Frame'),
    );
    const script = reading.map(({ name, curl }) => {
      const code = curl.replace('http://127.0.0.1:8080', live.url).replace('curl', 'curl -s');
      return `printf '\\n@${name} '\n${code} | head -c 200 | tr -d '\\000\\n'`;
    });
    const { stdout } = await runProgram('bash', ['-c', script.join('\n')], { env: { INLAY_API_KEY: tenant.key } });
    const answered = stdout
      .split('\n@')
      .slice(1)
      .map((line) => [line.split(' ')[0], /^\w+ \{"error":"(\w+)"/.exec(line)?.[1] ?? 'done']);
    expect(answered.length).toBeGreaterThan(20);
    const refused = answered.filter(([, code]) => !/^done$|^unknown_|_not_found$|^(?:ledger|feed)_/.test(String(code)));
    expect(refused).toEqual([]);
  });
});
