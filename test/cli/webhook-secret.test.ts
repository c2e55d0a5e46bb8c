/** `webhooks verify`: the secret of an endpoint need not be an argument, which every user of the machine can read. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { signatureHeader } from '../../src/core/webhook-signature.ts';
import { inlay } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SECRET = 'whsec_of_a_test';
const folder = temporaryFolder('inlay-secret');
const file = join(folder, 'endpoint.secret');
writeFileSync(file, `${SECRET}\n`, { mode: 0o600 });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const body = JSON.stringify({ type: 'order.filled', dedupeKey: 'order.filled:x', data: {} });
const verify = async (argv: string[], env: Record<string, string> = {}) => {
  const signature = signatureHeader(SECRET, Math.floor(Date.now() / 1000), body);
  const ran = await inlay(['webhooks', 'verify', '--signature', signature, ...argv, '--json'], {
    env: { XDG_CONFIG_HOME: folder, ...env },
    input: body,
  });
  return { code: ran.code, json: JSON.parse(ran.stdout) };
};

// contract 40.13
test('the secret comes from a file, from INLAY_WEBHOOK_SECRET, or from a flag', async () => {
  for (const [argv, env] of [
    [['--secret-file', file], {}],
    [[], { INLAY_WEBHOOK_SECRET: SECRET }],
    [[], { INLAY_WEBHOOK_SECRET_FILE: file }],
    [['--secret', SECRET], {}],
    [['--secret-file', file], { INLAY_WEBHOOK_SECRET: 'whsec_of_another' }],
  ] as [string[], Record<string, string>][]) {
    expect([argv, await verify(argv, env)]).toMatchObject([argv, { code: 0, json: { valid: true } }]);
  }
  expect(await verify([], { INLAY_WEBHOOK_SECRET: 'whsec_of_another' })).toMatchObject({
    code: 1,
    json: { valid: false },
  });
});

test('without any secret, with an unreadable file or with two of them it is wrong usage', async () => {
  for (const argv of [[], ['--secret-file', join(folder, 'none')], ['--secret-file', file, '--secret', SECRET]]) {
    expect([argv, (await verify(argv)).code]).toEqual([argv, 2]);
  }
});
