/** Each sample of the reference runs, in each language, against a real service: reads and writes, with what they need in place. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SampleLanguage } from '../../tools/site/code.ts';
import { type DescribedApi, type Operation, operationsOf } from '../../tools/site/described-api.ts';
import { requestSamples } from '../../tools/site/request-samples.ts';
import { writeClientPackage } from '../support/client-package.ts';
import { readDescription } from '../support/openapi.ts';
import { runProgram } from '../support/process.ts';
import { type Live, openLive } from '../support/world.ts';
import { makeSubject, type Subject } from './sample-subjects.ts';

// A hundred and eighty requests by processes of three kinds take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const STREAM_SECONDS = 3;

let live: Live;
let folder: string;
let operations: Operation[];

beforeAll(async () => {
  live = await openLive({ job: false });
  folder = mkdtempSync(join(tmpdir(), 'inlay-reference-'));
  await writeClientPackage(join(folder, 'node_modules', 'inlay'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  operations = operationsOf((await readDescription(live)) as DescribedApi);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await live.close();
});

interface Prepared {
  readonly operation: Operation;
  readonly subject: Subject;
  readonly code: string;
}

async function prepared(language: SampleLanguage): Promise<Prepared[]> {
  const all: Prepared[] = [];
  for (const operation of operations) {
    const subject = await makeSubject(live, operation);
    all.push({ operation, subject, code: subject.insert(requestSamples(operation)[language]) });
  }
  return all;
}

const streams = ({ responses }: Operation) =>
  Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content);

/** @param stdout a line `@operation done` for each sample that was answered as its reader expects, else `@operation` and why not. */
function expectAllDone(stdout: string): void {
  const ended = [...stdout.matchAll(/^@(\w+) (.*)$/gm)].map(([, name, how]) => [name, how]);
  expect(ended.map(([name]) => name)).toEqual(operations.map(({ operationId }) => operationId));
  const refused = ended.filter(([, how]) => how !== 'done').map(([name]) => name);
  expect(refused, stdout.slice(-2_000)).toEqual([]);
}

test.skipIf(spawnSync('curl', ['--version']).status !== 0)('with curl', async () => {
  const script = (await prepared('curl')).map(({ operation, subject, code }) => {
    const limit = streams(operation) ? ` --max-time ${STREAM_SECONDS}` : '';
    const quiet = code.replace('curl', `curl -s -o /dev/null -w '%{http_code}'${limit}`);
    return `export INLAY_API_KEY='${subject.key}' EMBED_TOKEN='${subject.token}'
status=$(${quiet})
case $status in 2*) echo '@${operation.operationId} done' ;; *) echo "@${operation.operationId} $status" ;; esac`;
  });
  const { stdout } = await runProgram('bash', ['-c', script.join('\n')], {});
  expectAllDone(stdout);
});

test('with the typed client and fetch', async () => {
  const lines = (await prepared('ts')).map(
    ({
      operation,
      subject,
      code,
    }) => `await run('${operation.operationId}', '${subject.key}', async (client, token) => {
${code}
}, '${subject.token}');`,
  );
  writeFileSync(
    join(folder, 'reference.mjs'),
    `import { createClient } from 'inlay/client';
const print = console.log;
console.log = (answer) => {
  const refusal = typeof answer === 'string' ? /^\\{"error":"(\\w+)"/.exec(answer)?.[1] : answer?.error;
  if (refusal !== undefined) throw new Error(refusal);
};
process.stdout.write = ((write) => (chunk) => {
  if (chunk instanceof Uint8Array) throw new Error('streamed');
  return write.call(process.stdout, chunk);
})(process.stdout.write);
async function run(name, apiKey, sample, token) {
  try {
    await sample(createClient({ baseUrl: '${live.url}', apiKey }), token);
    print('@' + name + ' done');
  } catch (error) {
    print('@' + name + ' ' + (error.message === 'streamed' ? 'done' : error.message));
  }
}
${lines.join('\n')}
process.exit();
`,
  );
  const { stdout, stderr } = await runProgram(process.execPath, ['reference.mjs'], {
    cwd: folder,
  });
  expect(stderr).toBe('');
  expectAllDone(stdout);
});

test.skipIf(spawnSync('python3', ['--version']).status !== 0)('with Python', async () => {
  const indent = (code: string) => code.replaceAll(/^/gm, '        ');
  const samples = (await prepared('python')).map(
    ({ operation, subject, code }) => `
def sample():
    with contextlib.redirect_stdout(${streams(operation) ? 'FirstLine' : 'io.StringIO'}()):
${indent(code)}
run("${operation.operationId}", sample, "${subject.key}", "${subject.token}")`,
  );
  const path = join(folder, 'reference.py');
  writeFileSync(
    path,
    `import contextlib, io, os

class Streamed(Exception):
    pass

class FirstLine(io.StringIO):
    def write(self, text):
        raise Streamed()

def run(name, sample, key, token):
    os.environ.update(INLAY_API_KEY=key, EMBED_TOKEN=token)
    try:
        sample()
        print(f"@{name} done")
    except Streamed:
        print(f"@{name} done")
    except Exception as error:
        print(f"@{name} {error}")
${samples.join('\n')}
`,
  );
  const { stdout, stderr } = await runProgram('python3', [path], {});
  expect(stderr).toBe('');
  expectAllDone(stdout);
});
