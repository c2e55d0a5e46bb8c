/** Time-stamps of checkpoints by an authority of the test, which is `openssl ts`; `openssl ts` also checks them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkResponse,
  TimestampRefused,
  timestampRequest,
} from '../../src/core/transparency-log/timestamp-request.ts';
import { startTimestamps } from '../../src/jobs/timestamps.ts';
import { loadLogSigner } from '../../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../../src/ledger/transparency-log/seal-feed.ts';
import { timestampCheckpoints } from '../../src/ledger/transparency-log/timestamp-checkpoints.ts';
import { startWorld, type World } from '../reconciliation/world.ts';
import { until } from '../support/until.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'inlay-timestamps-'));
const file = (name: string) => join(folder, name);
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

let world: World;
let authority: Server;
let url: string;
/** What the authority answers instead. */
let instead: ((query: Buffer) => Buffer | number) | undefined;
let asked = 0;

function reply(query: Buffer): Buffer {
  writeFileSync(file('query.tsq'), query);
  openssl('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'reply.tsr');
  return readFileSync(file('reply.tsr'));
}

beforeAll(async () => {
  if (!hasOpenssl) {
    return;
  }
  writeFileSync(
    file('tsa.cnf'),
    `[tsa]
default_tsa = ours
[ours]
serial = ${file('serial')}
signer_cert = ${file('tsa.pem')}
signer_key = ${file('tsa.key')}
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
[req]
distinguished_name = name
[name]
`,
  );
  const subject = ['-subj', '/CN=Time of the test', '-addext', 'extendedKeyUsage=critical,timeStamping'];
  const keys = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'tsa.key', '-out', 'tsa.pem'];
  openssl('req', '-x509', '-config', 'tsa.cnf', ...keys, '-days', '2', ...subject);
  world = await startWorld();
  await world.buy(await world.market('stamped'), 'ana');
  authority = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked += 1;
      const query = Buffer.concat(parts);
      const answer = instead?.(query) ?? reply(query);
      response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/timestamp-reply' });
      response.end(typeof answer === 'number' ? '' : answer);
    });
  });
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(authority.address() as AddressInfo).port}/tsa`;
});
afterAll(async () => {
  authority?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

const seal = () => {
  const { environment, secrets } = world.service.context;
  return sealFeeds(world.service.sql, loadLogSigner(environment, secrets));
};
const checkpoint = async () => (await world.service.request('GET', '/api/v1/reconciliation/checkpoint')).body;

/** What `openssl ts` says of a stamp over a text. */
function verify(text: string, response: string): string {
  writeFileSync(file('note'), text);
  writeFileSync(file('note.tsr'), Buffer.from(response, 'base64'));
  const { stdout, stderr } = spawnSync(
    'openssl',
    ['ts', '-verify', '-data', 'note', '-in', 'note.tsr', '-CAfile', 'tsa.pem'],
    { cwd: folder, encoding: 'utf8' },
  );
  return `${stdout}${stderr}`;
}

describe.skipIf(!hasOpenssl)('time-stamps (skipped without openssl)', () => {
  test('a worker has the newest checkpoint stamped, openssl verifies it, and it is served beside the checkpoint', async () => {
    await seal();
    expect(await checkpoint()).toMatchObject({ timestamp: null });
    const { context } = world.service;
    const job = startTimestamps({ ...context, environment: { ...context.environment, timestampUrl: url } });
    const { timestamp } = await until(checkpoint, (answer) => answer.timestamp !== null, 30_000);
    await job.close();
    expect(timestamp).toMatchObject({ size: (await checkpoint()).size, checkpoint: (await checkpoint()).checkpoint });
    expect(verify(timestamp.checkpoint, timestamp.response)).toContain('Verification: OK');
    expect(verify(timestamp.checkpoint.replace('inlay/', 'inlay.'), timestamp.response)).toContain('FAILED');
  });

  test('a log is stamped again when it has grown and an hour has passed', async () => {
    await timestampCheckpoints(world.service.sql, url);
    const before = asked;
    await world.buy(await world.market('stamped-later'), 'ana');
    await seal();
    expect(await timestampCheckpoints(world.service.sql, url)).toBe(0);
    expect(asked).toBe(before);
    expect(await timestampCheckpoints(world.service.sql, url, () => true, 0)).toBe(1);
    const { size, timestamp } = await checkpoint();
    expect(timestamp.size).toBe(size);
    expect(verify(timestamp.checkpoint, timestamp.response)).toContain('Verification: OK');
  });

  test('an answer that grants nothing, is of something else, or is an error is not kept', async () => {
    await world.buy(await world.market('stamped-never'), 'ana');
    await seal();
    const { timestamp: before } = await checkpoint();
    const other = reply(timestampRequest(Buffer.from('other'), Buffer.alloc(8, 3)));
    for (const [answer, reason] of [
      [() => other, 'something else'],
      [() => Buffer.from('300530030201023000', 'hex'), 'status 2'],
      [() => Buffer.from('<html></html>'), 'not a time-stamp response'],
      [() => 503, 'HTTP 503'],
    ] as const) {
      instead = answer;
      await expect(timestampCheckpoints(world.service.sql, url, () => true, 0)).rejects.toThrow(reason);
    }
    instead = undefined;
    expect((await checkpoint()).timestamp).toEqual(before);
  });

  test('openssl reads the request: version 1, SHA-256, the digest, a nonce, and the wish for the certificate', () => {
    const nonce = Buffer.from('00ff0102030405ff', 'hex');
    writeFileSync(file('own.tsq'), timestampRequest(Buffer.from('text'), nonce));
    const said = openssl('ts', '-query', '-in', 'own.tsq', '-text').toString();
    expect(said).toContain('Version: 1');
    expect(said).toContain('Hash Algorithm: sha256');
    expect(said).toContain('Nonce: 0x0100FF0102030405FF');
    expect(said).toContain('Certificate required: yes');
    expect(() => checkResponse(Buffer.alloc(0), Buffer.from('text'), nonce)).toThrow(TimestampRefused);
  });
});
