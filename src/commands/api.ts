/**
 * `api METHOD PATH`: any route of a key, as it is in the reference. Off a terminal the answer is printed as it was sent; a terminal gets
 * JSON with indents, and text without control characters.
 */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { Args, Flags } from '@oclif/core';
import { notFound, usage } from '../cli/failure.ts';
import { PartnerCommand } from '../cli/partner-command.ts';
import { printableLines, toJson } from '../cli/terminal/printable.ts';
import { readText, ServiceUnreachable, toRefusal } from '../client/create-client.ts';
import { isJsonObject, type Json } from '../core/json.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
/** Methods whose fields are parameters of the address. */
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];
const VERSION = '/api/v1';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

type Fields = Readonly<Record<string, Json>>;

export default class Api extends PartnerCommand<typeof Api> {
  static override summary = 'Send a request to any route of the API, and print the answer.';
  static override description = [
    'PATH is a route of the reference, such as /orders/ord_1 or /api/health; one that does not begin with /api/ is below /api/v1. Fields are parameters of the address for GET and HEAD, and otherwise the JSON body. A field that is given more than once is a list.',
    'A refusal is printed as it was sent too, then explained on stderr; the exit code is that of the other commands. --json prints one document with indents, with --include { "status", "headers", "body" }.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> GET /events -f search="world cup" -f limit=5',
    '<%= config.bin %> <%= command.id %> POST /quotes --user u-123 -f marketId=ctr_0197f1c2 -f side=YES -f action=buy -F stake=10',
    '<%= config.bin %> <%= command.id %> GET /orders --paginate',
    'echo \'{"maxWagerMinor": 5000}\' | <%= config.bin %> <%= command.id %> PUT /users/u-123/limits --input -',
  ];
  static override args = {
    method: Args.string({ required: true, description: 'Method, in upper or lower case.' }),
    path: Args.string({ required: true, description: 'Path of the route.' }),
  };
  static override flags = {
    'raw-field': Flags.string({
      char: 'f',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME=VALUE',
      summary: 'Field with a text.',
    }),
    field: Flags.string({
      char: 'F',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME=VALUE',
      summary: 'Field with a value in JSON, such as 10, true, null or a list; what is not JSON is a text.',
    }),
    input: Flags.string({
      exclusive: ['field', 'raw-field'],
      helpValue: 'FILE',
      summary: 'File with the JSON body; - is standard input.',
    }),
    header: Flags.string({
      char: 'H',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'NAME:VALUE',
      summary: 'Further header of the request.',
    }),
    user: Flags.string({ helpValue: 'USER', summary: 'Your own id of the customer, sent as X-Service-User.' }),
    include: Flags.boolean({ char: 'i', summary: 'Print the status and the headers of the answer too.' }),
    paginate: Flags.boolean({
      exclusive: ['include', 'input'],
      summary: 'Read all pages of a list, and print its items as one JSON list.',
    }),
  };

  async run(): Promise<Json | Answer | undefined> {
    const { flags } = this;
    const method = METHODS.find((one) => one === this.args.method.toUpperCase());
    if (method === undefined) {
      throw usage(`${this.args.method} is not a method; expected one of ${METHODS.join(', ')}.`);
    }
    const path = pathOf(this.args.path);
    const fields = readFields(flags['raw-field'], flags.field);
    if (flags.paginate) {
      if (method !== 'GET') {
        throw usage('--paginate is for GET.');
      }
      return this.#readAllPages(path, fields);
    }
    if (!WITHOUT_BODY.includes(method)) {
      const { input } = flags;
      const given = Object.keys(fields).length === 0 ? undefined : fields;
      return this.#print(
        await this.#send(method, path, { body: input === undefined ? given : await readInput(input) }),
      );
    }
    if (flags.input !== undefined) {
      throw usage(`A ${method} has no body, so --input cannot be used.`);
    }
    return this.#print(await this.#send(method, path, { query: queryOf(fields) }));
  }

  #send(method: string, path: string, request: { query?: Query; body?: unknown }): Promise<Response> {
    // the client asks for JSON, and some routes send an image, a file or a stream
    const headers = { accept: '*/*', ...readHeaders(this.flags.header) };
    return this.api.open(method, path, { ...request, headers, user: this.flags.user });
  }

  /** @throws the refusal, after it was printed as it was sent */
  async #print(response: Response): Promise<Json | Answer | undefined> {
    const { status, statusText } = response;
    const headers = Object.fromEntries(response.headers);
    const isJson = this.jsonEnabled();
    if (this.flags.include && !isJson) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
      process.stdout.write(
        `${printableLines(`HTTP ${status} ${statusText}`).trim()}\n${printableLines(lines.join(''))}\n`,
      );
    }
    if (response.ok && !isJson) {
      await printBody(response);
      return undefined;
    }
    const text = await readText(response);
    if (!response.ok) {
      if (!isJson) {
        printText(text);
      }
      throw refusalOf(response, text);
    }
    const body = text === '' ? null : parseJson(text);
    if (body === undefined) {
      throw usage('The answer is not JSON.', 'Without --json it is printed as it was sent.');
    }
    return this.flags.include ? { status, headers, body } : body;
  }

  /** @returns the items of all pages; under --json it is the document */
  async #readAllPages(path: string, fields: Fields): Promise<Json> {
    const items: Json[] = [];
    let query = queryOf(fields);
    for (;;) {
      const { list, next } = await this.read(() => this.#readPage(path, query));
      items.push(...list);
      if (next === null) {
        break;
      }
      query = { ...query, cursor: next };
    }
    if (!this.jsonEnabled()) {
      process.stdout.write(`${toJson(items)}\n`);
    }
    return items;
  }

  async #readPage(path: string, query: Query): Promise<Page> {
    const response = await this.#send('GET', path, { query });
    const text = await readText(response);
    if (!response.ok) {
      throw refusalOf(response, text);
    }
    const page = pageOf(parseJson(text));
    if (page === undefined) {
      throw usage(`${path} is no list in pages.`, 'Omit --paginate.');
    }
    return page;
  }
}

function refusalOf({ status, url, headers }: Response, text: string): Error {
  return toRefusal({ status, url, text, header: (name) => headers.get(name) ?? undefined });
}

/** @returns the path below the base URL, with the version that the specification leaves out */
function pathOf(given: string): string {
  const path = given.startsWith('/') ? given : `/${given}`;
  return path.startsWith('/api/') ? path : `${VERSION}${path}`;
}

/** @returns the fields; one that was given more than once is a list */
function readFields(texts: readonly string[] = [], values: readonly string[] = []): Fields {
  const given = [
    ...texts.map((pair) => readPair(pair)),
    ...values.map((pair) => {
      const [name, value] = readPair(pair);
      return [name, parseJson(value) ?? value] as const;
    }),
  ];
  const byName = Map.groupBy(given, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const [first, ...more] = pairs.map(([, value]) => value);
      return [name, more.length === 0 ? (first ?? null) : [first ?? null, ...more]];
    }),
  );
}

function readPair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) {
    throw usage(`${pair} is not NAME=VALUE.`);
  }
  return [pair.slice(0, at), pair.slice(at + 1)];
}

type Query = Readonly<Record<string, string | readonly string[]>>;

function queryOf(fields: Fields): Query {
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(text) : text(value)]),
  );
}

function readHeaders(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(header) ?? [];
      if (name === undefined || value === undefined) {
        throw usage(`${header} is not NAME:VALUE.`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

async function readInput(file: string): Promise<Json> {
  const content = file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8').catch(() => undefined);
  if (content === undefined) {
    throw notFound(`${file} cannot be read.`, 'file_not_found');
  }
  const body = parseJson(content);
  if (body === undefined) {
    throw usage(`${file === '-' ? 'Standard input' : file} is not JSON.`);
  }
  return body;
}

/** @returns undefined if it is not JSON */
function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

interface Page {
  readonly list: readonly Json[];
  /** Cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** @returns undefined if it is no list in pages; the catalogue has its cursor under `pagination` */
function pageOf(body: Json | undefined): Page | undefined {
  const fields = isJsonObject(body) ? body : {};
  const [list, ...others] = Object.values(fields).filter((value) => Array.isArray(value));
  const { nextCursor, hasMore } = isJsonObject(fields['pagination']) ? fields['pagination'] : fields;
  if (list === undefined || others.length > 0 || hasMore === undefined) {
    return undefined;
  }
  return { list, next: hasMore === true && typeof nextCursor === 'string' ? nextCursor : null };
}

/** Prints a body while it arrives, unless it is JSON for a terminal. */
async function printBody(response: Response): Promise<void> {
  const isTerminal = process.stdout.isTTY === true;
  if (isTerminal && /json/.test(response.headers.get('content-type') ?? '')) {
    printText(await readText(response));
    return;
  }
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      const printed = isTerminal ? printableLines(decoder.decode(chunk, { stream: true })) : chunk;
      if (!process.stdout.write(printed)) {
        await new Promise((resolve) => process.stdout.once('drain', resolve));
      }
    }
  } catch (error) {
    throw error instanceof TypeError
      ? new ServiceUnreachable(`${URL.parse(response.url)?.origin} ended its answer early.`)
      : error;
  }
}

/** Prints a whole body; on a terminal JSON has indents. */
function printText(text: string): void {
  const isTerminal = process.stdout.isTTY === true;
  const json = isTerminal ? parseJson(text) : undefined;
  if (text !== '') {
    process.stdout.write(json !== undefined ? `${toJson(json)}\n` : isTerminal ? printableLines(text) : text);
  }
}
