/** `npm run venues:drift`: what a newer document of an exchange changes for us, with the files that read it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { projectRoot } from '../../src/core/environment.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Schema {
  required?: string[];
  properties: Record<string, { type?: string; enum?: string[] }>;
}
interface Document {
  info: { version: string };
  paths: Record<string, Record<string, { parameters: object[] }>>;
  components: { schemas: Record<string, Schema> };
}

const folder = temporaryFolder('drift');

/** @param change of the shapes that are kept. @returns what is printed about the changed document, and the exit code */
function drift(name: string, change: (document: Document) => void): { lines: string[]; status: number | null } {
  const document = JSON.parse(
    readFileSync(join(projectRoot, 'fixtures', 'venues', `${name}.json`), 'utf8'),
  ) as Document;
  document.info.version = 'newer';
  change(document);
  const file = join(folder, 'new.json');
  writeFileSync(file, JSON.stringify(document));
  const ran = spawnSync(process.execPath, [join(projectRoot, 'tools', 'venues', 'drift.js'), file], {
    encoding: 'utf8',
  });
  expect(ran.stderr).toBe('');
  return { lines: ran.stdout.trimEnd().split('\n'), status: ran.status };
}

const DOCUMENTS = [
  'gemini',
  'gemini-rest',
  'kalshi',
  'kalshi-stream',
  'polymarket-clob',
  'polymarket-data',
  'polymarket-data-v2',
  'polymarket-gamma',
];

test.each(DOCUMENTS)('%s has not changed', (name) => {
  const { lines, status } = drift(name, () => {});
  expect(lines.slice(1)).toEqual(['0 that we read, 0 that nobody reads']);
  expect(lines[0]).toMatch(new RegExp(`^${name}: .* is kept, newer is new$`));
  expect(status).toBe(0);
});

test('every difference is a line, with the files that read the field; what nobody reads comes last', () => {
  const { lines, status } = drift('kalshi', ({ paths, components: { schemas } }) => {
    const [market, event, order] = ['Market', 'EventData', 'Order'].map((name) => schemas[name] as Schema);
    market?.properties['status']?.enum?.push('frozen');
    if (market !== undefined && event !== undefined && order !== undefined) {
      market.properties['moonshine'] = { type: 'string' };
      market.properties['volume_fp'] = { type: 'integer' };
      event.required = event.required?.filter((one) => one !== 'series_ticker') ?? [];
      delete order.properties['client_order_id'];
    }
    paths['/portfolio/positions']?.['get']?.parameters.push({
      name: 'weather',
      in: 'query',
      required: true,
      schema: {},
    });
    delete paths['/series/fee_changes'];
  });
  const at = (line: string) => lines[lines.indexOf(line) + 1]?.trim().split(', ') ?? [];
  expect(at('Market.status has the new word "frozen"')).toContain('src/venues/kalshi/catalogue.ts');
  expect(at('Market.volume_fp was FixedPointCount, is integer')).toContain('src/venues/kalshi/shapes.ts');
  expect(at('EventData.series_ticker may be missing now')).toContain('src/venues/kalshi/catalogue.ts');
  expect(at('Order.client_order_id is gone')).toContain('src/venues/kalshi/orders.ts');
  expect(at('GET /series/fee_changes is gone')).toContain('src/venues/kalshi/series.ts');
  expect(lines.slice(-5)).toEqual([
    'GET /portfolio/positions ?weather is new and required (nobody reads it)',
    'GetSeriesFeeChangesResponse is gone (nobody reads it)',
    'Market.moonshine is new (nobody reads it)',
    'SeriesFeeChange is gone (nobody reads it)',
    '5 that we read, 4 that nobody reads',
  ]);
  expect(status).toBe(1);
});

test('an AsyncAPI document in YAML is compared like the others, channel by channel', () => {
  const kept = JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'venues', 'kalshi-stream.json'), 'utf8'));
  const channels = Object.entries(kept.paths as Record<string, { get: { responses: Record<string, object> } }>).map(
    ([path, { get }]) => {
      const messages = Object.entries(get.responses).map(([name, { content }]: [string, { content?: object }]) => {
        const { schema } = (content as { 'application/json': { schema: object } })['application/json'];
        return [name, { payload: schema }];
      });
      return [path.slice(1), { messages: Object.fromEntries(messages) }];
    },
  );
  const { components } = structuredClone(kept);
  components.schemas.marketLifecycleV2Payload.properties.msg.properties.event_type.enum.push('frozen');
  const file = join(folder, 'new.yaml');
  const document = {
    asyncapi: '3.0.0',
    info: { title: 'Stream', version: 'newer' },
    channels: Object.fromEntries(channels),
    components,
  };
  writeFileSync(file, stringify(document));
  const { stdout, status } = spawnSync(process.execPath, [join(projectRoot, 'tools', 'venues', 'drift.js'), file], {
    encoding: 'utf8',
  });
  expect(stdout).toContain('has the new word "frozen"');
  expect(stdout).toContain('src/venues/kalshi/');
  expect(status).toBe(1);
});
