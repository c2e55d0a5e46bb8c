/** Which fields Kalshi's documents name, by the shapes that are kept of them (fixtures/venues). A field beyond them is noted, and ignored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/environment.ts';
import type { Note } from '../unknowns.ts';

interface Shapes {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const fields = new Map<string, ReadonlySet<string>>();

/** @param schema by the name that the document gives it, such as `Market` */
function fieldsOf(schema: string): ReadonlySet<string> {
  const known = fields.get(schema) ?? readFields(schema);
  fields.set(schema, known);
  return known;
}

function readFields(schema: string): ReadonlySet<string> {
  const text = readFileSync(join(projectRoot, 'fixtures', 'venues', 'kalshi.json'), 'utf8');
  const { components } = JSON.parse(text) as Shapes;
  return new Set(Object.keys(components.schemas[schema]?.properties ?? {}));
}

/** @param raw items as they came */
export function noteFields(
  note: Note,
  schema: 'Market' | 'EventData' | 'Series' | 'Order' | 'Fill',
  raw: readonly unknown[],
): void {
  const known = fieldsOf(schema);
  for (const item of raw) {
    for (const field of typeof item === 'object' && item !== null ? Object.keys(item) : []) {
      if (!known.has(field)) {
        note(`field of ${schema}`, field);
      }
    }
  }
}
