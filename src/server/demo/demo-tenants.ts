/**
 * The tenants of a development machine, made on its first start: two with keys, which are shown then and kept in the data folder,
 * and one for the visitors of the demo page.
 */

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mode } from '../../core/terms.ts';
import { connect, type Sql } from '../../db/client.ts';
import { issueKey } from '../../operators/keys.ts';
import { createOperator, findOperator } from '../../operators/operators.ts';
import { DEMO_SLUG, registerDemoPages, VISITORS_SLUG } from './demo-visitor.ts';

export interface DemoKey {
  readonly slug: string;
  readonly mode: Mode;
  readonly apiKey: string;
}

interface DemoTenant {
  readonly slug: string;
  readonly mode: Mode;
  readonly name: string;
  readonly hasKey: boolean;
}

const TENANTS: readonly DemoTenant[] = [
  { slug: DEMO_SLUG, mode: 'sandbox', name: 'Demo', hasKey: true },
  { slug: 'demo-live', mode: 'live', name: 'Demo (live)', hasKey: true },
  { slug: VISITORS_SLUG, mode: 'sandbox', name: 'Demo (visitors)', hasKey: false },
];
const PLATFORM_FEE_BPS = 200;

/**
 * @param adminUrl of the role that may create operators and keys; the service's own may not
 * @param port of the API, whose pages show the demo
 * @returns the keys created by this call; none if the tenants exist already
 */
export async function createDemoTenants(adminUrl: string, dataDir: string, port: number): Promise<DemoKey[]> {
  const sql = connect(adminUrl, { max: 1, applicationName: 'inlay-demo-tenants' });
  try {
    const made = await ensureDemoTenants(sql, dataDir);
    for (const slug of [DEMO_SLUG, VISITORS_SLUG]) {
      const operator = await findOperator(sql, slug);
      if (operator?.mode === 'sandbox') {
        await registerDemoPages(sql, operator, port);
      }
    }
    return made;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function ensureDemoTenants(sql: Sql, dataDir: string): Promise<DemoKey[]> {
  const made: DemoKey[] = [];
  for (const { slug, mode, name, hasKey } of TENANTS) {
    if ((await findOperator(sql, slug)) !== undefined) {
      continue;
    }
    const operator = await createOperator(sql, {
      slug,
      mode,
      name,
      platformFeeBps: PLATFORM_FEE_BPS,
      // in the sandbox, too, so that the rehearsal of a live order ends (contract 32.18)
      executionConfirmed: true,
    });
    if (hasKey) {
      const { apiKey } = await issueKey(sql, operator, { label: 'made on first start' });
      made.push({ slug, mode, apiKey });
    }
  }
  if (made.length > 0) {
    keep(dataDir, made);
  }
  return made;
}

/** @returns the keys that were kept at the first start; none if there is no such file */
export function readDemoKeys(dataDir: string): DemoKey[] {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'demo-keys.json'), 'utf8')) as DemoKey[];
  } catch {
    return [];
  }
}

function keep(dataDir: string, made: readonly DemoKey[]): void {
  const path = join(dataDir, 'demo-keys.json');
  const others = readDemoKeys(dataDir).filter(({ slug }) => !made.some((key) => key.slug === slug));
  writeFileSync(path, `${JSON.stringify([...others, ...made], null, 2)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}
