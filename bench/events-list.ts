/**
 * Row `events-list`: lists with a key, all headers, counted, against bare Fastify that sends the same bytes as a ready Buffer. Row
 * `events-list-bytes`: the bytes on the wire if the caller accepts compression.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { loadCatalogue } from './catalogue.ts';
import { interleave, type Measure, median, type Run } from './measure.ts';
import { cpuSeconds } from './process-facts.ts';
import type { WireAnswer, WireOrder } from './wire-load-process.ts';
import type { World } from './world.ts';

const PATH = '/api/v1/events';
const QUERY = '?limit=25';
const KEYS = 50;
const IN_FLIGHT = 64;
const MICROSECONDS = 1_000_000;

export async function eventsList(world: World, run: Run): Promise<Measure> {
  const { size } = run;
  const [operator] = await world.createOperators('listing', 1, KEYS);
  // Prices stand still while it is measured: the worker would take turns with both sides on two cores.
  await (await loadCatalogue(world)).close();
  const api = await world.startApi();
  const headers = (operator?.keys ?? []).map((key) => `authorization: Bearer ${key}\r\naccept: application/json\r\n`);
  const sample = await fetch(`${api.url}${PATH}${QUERY}`, {
    headers: { authorization: `Bearer ${operator?.keys[0] ?? ''}` },
  });
  const file = join(world.dataDir, 'list.json');
  const bytes = Buffer.from(await sample.arrayBuffer());
  await writeFile(file, bytes);
  const bare = await world.start('./bare-list-process.ts', { file, path: PATH });
  const count = size(20_000, 500);
  const cpu: number[] = [];

  async function load(url: string): Promise<number> {
    const order: WireOrder = { url, path: `${PATH}${QUERY}`, headers, inFlight: IN_FLIGHT, count };
    const answer = (await world.fork('./wire-load-process.ts', order)) as WireAnswer;
    if (answer.failed > 0) {
      throw new Error(`${answer.failed} of ${count} lists were refused`);
    }
    return answer.perSecond;
  }

  const rates = await interleave(
    run,
    async () => {
      const before = cpuSeconds(api.pid);
      const rate = await load(api.url);
      cpu.push(((cpuSeconds(api.pid) - before) * MICROSECONDS) / count);
      return rate;
    },
    () => load((bare.first as { url: string }).url),
  );
  await api.close();
  await bare.close();
  return {
    ...rates,
    unit: 'per s',
    note: `${Math.round(bytes.length / 1000)} kB each, ${median(cpu).toFixed(0)} µs of CPU in the API process`,
  };
}

export async function eventsListBytes(world: World): Promise<Measure> {
  const [operator] = await world.createOperators('wired', 1, 1);
  await (await loadCatalogue(world)).close();
  const api = await world.startApi();
  const authorization = `Bearer ${operator?.keys[0] ?? ''}`;
  const bytesOf = async (coding: string) => {
    const answer = await request(`${api.url}${PATH}${QUERY}`, {
      headers: { authorization, 'accept-encoding': coding },
    });
    return (await answer.body.arrayBuffer()).byteLength;
  };
  const [measured, gzip, baseline] = [await bytesOf('br, gzip'), await bytesOf('gzip'), await bytesOf('identity')];
  await api.close();
  return { measured, baseline, unit: 'bytes', note: `in gzip alone ${gzip} bytes` };
}
