/** What a command line names, by which the cell that holds it is found. */
import type { Named, NamedKind } from '../../operations/cells/find-holders.ts';

type Words = Readonly<Record<string, unknown>>;

/** Arguments and flags that name something of one cell; an operator decides before anything else. */
const FLAGS: readonly [name: string, kind: NamedKind][] = [
  ['operator', 'operator'],
  ['parent', 'operator'],
  ['endpoint', 'endpoint'],
];
const ARGUMENTS: readonly [name: string, kind: NamedKind][] = [
  ['slug', 'operator'],
  ['keyId', 'key'],
  ['endpoint', 'endpoint'],
  ['delivery', 'delivery'],
  ['ref', 'order'],
  ['approval', 'approval'],
  ['break', 'break'],
];

/** @returns undefined if nothing that is named tells the cell */
export function namedThing(flags: Words, args: Words): Named | undefined {
  const named = [...FLAGS.map((one) => namedBy(flags, one)), ...ARGUMENTS.map((one) => namedBy(args, one))];
  return named.find((one) => one !== undefined);
}

/** Of several values the first: what is changed together belongs to one operator. */
function namedBy(words: Words, [name, kind]: readonly [string, NamedKind]): Named | undefined {
  const value = words[name];
  const reference: unknown = Array.isArray(value) ? value[0] : value;
  return typeof reference === 'string' ? { kind, reference } : undefined;
}
