/** The request of an operation in curl, TypeScript and Python, from the example in the OpenAPI document. */
import { SAMPLE_ORIGIN, type SampleLanguage } from './code.ts';
import { needsKey, type Operation, type Parameter } from './described-api.ts';

/** How a client reads the response: at once as JSON, line by line for as long as it lasts, or as a file. */
type Answer = 'json' | 'lines' | 'file';

interface SampleRequest {
  readonly operation: Operation;
  /** The thing that the path names, if it names one. */
  readonly id: string;
  /** Path and query. */
  readonly address: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The customer whom the header names, if the operation requires it. */
  readonly user: string | undefined;
  readonly isEmbed: boolean;
  readonly answer: Answer;
}

export function requestSamples(operation: Operation): Record<SampleLanguage, string> {
  const parameters = operation.parameters ?? [];
  const required = (place: string) => parameters.filter((one) => one.in === place && one.required === true);
  const [ok] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const id = String(required('path')[0]?.example ?? '');
  const query = Object.fromEntries(
    queryOf(operation, required('query')).map(({ name, example }) => [name, name === 'limit' ? '10' : String(example)]),
  );
  const search = new URLSearchParams(query).toString();
  const sample: SampleRequest = {
    operation,
    id,
    address: `${operation.path.replace('{id}', id)}${search === '' ? '' : `?${search}`}`,
    query,
    body: Object.values(Object.values(operation.requestBody?.content ?? {})[0]?.examples ?? {})[0]?.value,
    user: required('header').find(({ name }) => name === 'X-Service-User')?.example as string | undefined,
    isEmbed: operation.path.startsWith('/api/embed/'),
    answer: answerOf(Object.keys(ok?.[1].content ?? {})),
  };
  const isCalled = needsKey(operation) && !sample.isEmbed;
  return { curl: curl(sample), ts: isCalled ? called(sample) : fetched(sample), python: python(sample) };
}

function answerOf(types: readonly string[]): Answer {
  if (types.includes('text/event-stream')) {
    return 'lines';
  }
  // An operation that can also respond with a file does so by default.
  return types.every((type) => type === 'application/json') ? 'json' : 'file';
}

/** Required parameters, and `limit` if there is nothing else to show. */
function queryOf({ operationId, parameters = [] }: Operation, required: readonly Parameter[]): readonly Parameter[] {
  if (operationId === 'getFeedProof') {
    return parameters.filter(({ name }) => name === 'sequence' || name === 'size');
  }
  return required.length > 0
    ? required
    : parameters.filter(({ name, in: place }) => place === 'query' && name === 'limit');
}

/** @param key the key or token, as the language writes it. */
function headersOf({ user, isEmbed, body, operation }: SampleRequest, key: string): [string, string][] {
  const headers: [string, string][] = [];
  if (isEmbed) {
    headers.push(['Authorization', `Embed ${key}`]);
  } else if (needsKey(operation)) {
    headers.push(['Authorization', `Bearer ${key}`]);
  }
  if (user !== undefined) {
    headers.push(['X-Service-User', user]);
  }
  if (body !== undefined) {
    headers.push(['Content-Type', 'application/json']);
  }
  return headers;
}

function curl(sample: SampleRequest): string {
  const { operation, address, body, isEmbed, answer } = sample;
  const isDefault = operation.method === 'GET' || (operation.method === 'POST' && body !== undefined);
  return [
    `curl${answer === 'lines' ? ' -N' : ''}${isDefault ? '' : ` -X ${operation.method}`} "${SAMPLE_ORIGIN}${address}"`,
    ...headersOf(sample, isEmbed ? '$EMBED_TOKEN' : '$INLAY_API_KEY').map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`]),
  ].join(' \\\n  ');
}

/** The handling of a response that is not JSON in a TypeScript sample. */
const PRINT = {
  lines: 'for await (const chunk of answer.body ?? []) {\n  process.stdout.write(chunk);\n}',
  file: 'console.log(await answer.text());',
} as const;

/** With `fetch`, if there is no key for the typed client. */
function fetched(sample: SampleRequest): string {
  const headers = headersOf(sample, '$' + '{token}').map(([name, value]) =>
    name === 'Authorization' ? `    ${name}: \`${value}\`,` : `    '${name}': '${value}',`,
  );
  const options = [
    ...(sample.operation.method === 'GET' ? [] : [`  method: '${sample.operation.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(sample.body === undefined ? [] : [`  body: JSON.stringify(${objectText(sample.body)}),`]),
  ];
  const more = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const answer = `const answer = await fetch('${SAMPLE_ORIGIN}${sample.address}'${more});`;
  return `${answer}\n${sample.answer === 'json' ? 'console.log(await answer.json());' : PRINT[sample.answer]}`;
}

/** With the typed client. */
function called(sample: SampleRequest): string {
  const { operation, query, body, user } = sample;
  const options = [
    ...(operation.path.includes('{id}') ? [`  path: { id: '${sample.id}' },`] : []),
    ...(Object.keys(query).length === 0 ? [] : [`  query: ${queryText(operation, query)},`]),
    ...(user === undefined ? [] : [`  user: '${user}',`]),
    ...(body === undefined ? [] : [`  body: ${objectText(body)},`]),
  ];
  const method = sample.answer === 'json' ? operation.method.toLowerCase() : 'stream';
  const more = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const call = `await client.${method}('${operation.path}'${more})`;
  return `const answer = ${call};\n${sample.answer === 'json' ? 'console.log(answer);' : PRINT[sample.answer]}`;
}

/** Numbers are numbers for the typed client. */
function queryText({ parameters = [] }: Operation, query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query).map(([name, value]) => {
    const type = parameters.find((one) => one.name === name)?.schema?.type;
    return `${name}: ${type === 'integer' || type === 'number' ? value : `'${value}'`}`;
  });
  return `{ ${entries.join(', ')} }`;
}

function objectText(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/"([a-zA-Z]\w*)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('\n', '\n  ');
}

const PYTHON_PRINTS: Readonly<Record<Answer, readonly string[]>> = {
  json: ['with urllib.request.urlopen(request) as response:', '    print(json.load(response))'],
  lines: [
    'with urllib.request.urlopen(request) as response:',
    '    for line in response:',
    '        print(line.decode(), end="")',
  ],
  file: ['with urllib.request.urlopen(request) as response:', '    print(response.read())'],
};

/** With its standard library alone. */
function python(sample: SampleRequest): string {
  const { operation, address, body, isEmbed, answer } = sample;
  const secret = `os.environ["${isEmbed ? 'EMBED_TOKEN' : 'INLAY_API_KEY'}"]`;
  const headers = headersOf(sample, '').map(
    ([name, value]) => `        "${name}": "${value}"${name === 'Authorization' ? ` + ${secret}` : ''},`,
  );
  const modules = [
    ...(answer === 'json' || body !== undefined ? ['json'] : []),
    ...(headers.some((line) => line.includes(secret)) ? ['os'] : []),
    'urllib.request',
  ];
  return [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    "${SAMPLE_ORIGIN}${address}",`,
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonText(body)}).encode(),`]),
    ')',
    ...PYTHON_PRINTS[answer],
  ].join('\n');
}

function pythonText(value: unknown): string {
  return JSON.stringify(value, null, 4)
    .replaceAll('\n', '\n    ')
    .replace(/: (true|false|null)/g, (_, word: string) => `: ${{ true: 'True', false: 'False', null: 'None' }[word]}`);
}
