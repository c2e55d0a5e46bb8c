/** Which fields Gemini's document names, by the shapes that are kept of it (fixtures/venues). A field beyond them is noted, and ignored. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../core/environment.ts';
import type { Note } from '../unknowns.ts';

interface Shapes {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

let known: Shapes | undefined;

function fieldsOf(schema: 'Event' | 'Contract'): ReadonlySet<string> {
  known ??= JSON.parse(readFileSync(join(projectRoot, 'fixtures', 'venues', 'gemini.json'), 'utf8')) as Shapes;
  return new Set(Object.keys(known.components.schemas[schema]?.properties ?? {}));
}

/** @param events as they came, with their contracts */
export function noteGeminiFields(note: Note, events: readonly unknown[]): void {
  const [ofEvent, ofContract] = [fieldsOf('Event'), fieldsOf('Contract')];
  for (const event of events) {
    noteIn(note, 'Event', ofEvent, event);
    const { contracts } = (event ?? {}) as { contracts?: unknown };
    for (const contract of Array.isArray(contracts) ? contracts : []) {
      noteIn(note, 'Contract', ofContract, contract);
    }
  }
}

function noteIn(note: Note, schema: string, fields: ReadonlySet<string>, item: unknown): void {
  for (const field of typeof item === 'object' && item !== null ? Object.keys(item) : []) {
    if (!fields.has(field)) {
      note(`field of ${schema}`, field);
    }
  }
}
