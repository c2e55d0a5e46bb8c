/** Which fields the exchanges' documents name, by the shapes that are kept of them (fixtures/venues). A field beyond them is noted, and ignored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../core/environment.ts';
import type { Note } from './unknowns.ts';

interface Shapes {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

const shapes = new Map<string, Shapes>();

function fieldsOf(document: string, schema: string): ReadonlySet<string> {
  const read = () =>
    JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'venues', `${document}.json`), 'utf8')) as Shapes;
  const known = shapes.get(document) ?? read();
  shapes.set(document, known);
  return new Set(Object.keys(known.components.schemas[schema]?.properties ?? {}));
}

/**
 * @param document by the name of its file
 * @param schema by the name that the document gives it, such as `Market`
 * @param raw items as they came
 * @param seen fields that the exchange's answers have, although its document does not name them
 */
export function noteFields(
  note: Note,
  document: 'gemini' | 'gemini-rest' | 'kalshi' | 'polymarket-clob' | 'polymarket-gamma',
  schema: string,
  raw: readonly unknown[],
  seen: ReadonlySet<string> = new Set(),
): void {
  const known = fieldsOf(document, schema);
  for (const item of raw) {
    for (const field of typeof item === 'object' && item !== null ? Object.keys(item) : []) {
      if (!known.has(field) && !seen.has(field)) {
        note(`field of ${schema}`, field);
      }
    }
  }
}
