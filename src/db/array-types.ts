/**
 * The array types of PostgreSQL that the service uses, by their fixed numbers. They are declared here because the
 * driver would otherwise query them on every new connection without awaiting the result: if the backend is killed
 * during that query (postgres 3.4.9, `fetchArrayTypes` in connection.js), the unhandled rejection ends the process.
 */

type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;
const asDate: Parse = (text) => new Date(text);
const asJson: Parse = (text) => JSON.parse(text);

/** Element type, array type, and how an element is parsed. */
const ARRAYS: readonly (readonly [element: number, array: number, parse: Parse])[] = [
  [16, 1000, (text) => text === 't'],
  [17, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [20, 1016, BigInt],
  [21, 1005, Number],
  [23, 1007, Number],
  [25, 1009, asText],
  [114, 199, asJson],
  [700, 1021, Number],
  [701, 1022, Number],
  [1042, 1014, asText],
  [1043, 1015, asText],
  [1082, 1182, asDate],
  [1114, 1115, asDate],
  [1184, 1185, asDate],
  [1186, 1187, asText],
  [1700, 1231, asText],
  [2950, 2951, asText],
  [3802, 3807, asJson],
];

interface DriverType {
  to: number;
  from: number[];
  serialize: (value: unknown) => unknown;
  parse: (text: string) => unknown;
}

/** For the driver's `types` option. */
export function arrayTypes(): Record<string, DriverType> {
  return Object.fromEntries(
    ARRAYS.map(([, array, parse]) => [
      `array${array}`,
      { to: array, from: [array], serialize: serializeArray, parse: (text: string) => parseArray(text, parse) },
    ]),
  );
}

/** Element type to array type, which the driver's `sql.array` looks up. */
export function arrayTypesByElement(): Record<number, number> {
  return Object.fromEntries(ARRAYS.map(([element, array]) => [element, array]));
}

function serializeArray(value: unknown): unknown {
  return Array.isArray(value) ? `{${value.map(serializeElement).join(',')}}` : value;
}

function serializeElement(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (value === undefined) {
    throw new TypeError('undefined inside an array parameter');
  }
  return Array.isArray(value) ? String(serializeArray(value)) : `"${textOf(value).replace(/[\\"]/g, '\\$&')}"`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (value instanceof Uint8Array) {
    return `\\x${Buffer.from(value).toString('hex')}`;
  }
  if (typeof value === 'boolean') {
    return value ? 't' : 'f';
  }
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** @param text an array as PostgreSQL writes it: `{a,"b c",NULL,{nested}}` */
function parseArray(text: string, parse: Parse): unknown[] {
  let at = text.indexOf('{') + 1;
  return level();

  function level(): unknown[] {
    const elements: unknown[] = [];
    while (at < text.length) {
      const next = text[at];
      if (next === '}') {
        at += 1;
        return elements;
      }
      if (next === ',') {
        at += 1;
      } else if (next === '{') {
        at += 1;
        elements.push(level());
      } else {
        elements.push(next === '"' ? parse(quoted()) : bare());
      }
    }
    return elements;
  }

  function bare(): unknown {
    const start = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '}') {
      at += 1;
    }
    const element = text.slice(start, at);
    return element === 'NULL' ? null : parse(element);
  }

  function quoted(): string {
    let element = '';
    at += 1;
    while (text[at] !== '"') {
      if (text[at] === '\\') {
        at += 1;
      }
      const start = at;
      at += 1;
      while (text[at] !== '"' && text[at] !== '\\') {
        at += 1;
      }
      element += text.slice(start, at);
    }
    at += 1;
    return element;
  }
}
