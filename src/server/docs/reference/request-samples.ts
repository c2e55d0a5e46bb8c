/** The request of an operation in curl, TypeScript and Python, from the example in the OpenAPI document. */
import type { SampleLanguage } from '../page/code-samples.ts';
import type { Operation, Parameter } from './described-api.ts';

const BASE = 'http://127.0.0.1:8080';
const USER = 'player-1';
/** Values of parameters, where any text would not do. */
const VALUES: Readonly<Record<string, string>> = {
  externalUserId: USER,
  contracts: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0',
  ids: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0',
  contractIds: 'ctr_z3t5tn0mrtg4m2wzsttb74acd0',
  kind: 'feed',
  sequence: '1',
  size: '1',
  limit: '10',
};
const IDS: readonly (readonly [string, string])[] = [
  ['/events/', 'evt_kh3s9565rfj356sj9vr90ec5h2'],
  ['/images/', 'evt_kh3s9565rfj356sj9vr90ec5h2'],
  ['/contracts/', 'ctr_z3t5tn0mrtg4m2wzsttb74acd0'],
  ['/users/', USER],
];

interface Sample {
  readonly operation: Operation;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly hasUser: boolean;
  readonly isEmbed: boolean;
  readonly isJson: boolean;
}

export function requestSamples(operation: Operation): Record<SampleLanguage, string> {
  const parameters = operation.parameters ?? [];
  const required = (place: string) => parameters.filter((one) => one.in === place && one.required === true);
  const [ok] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const sample: Sample = {
    operation,
    path: operation.path.replace('{id}', idOf(operation.path)),
    query: Object.fromEntries(queryOf(operation, required('query')).map(({ name }) => [name, VALUES[name] ?? 'value'])),
    body: Object.values(operation.requestBody?.content ?? {})[0]?.example,
    hasUser: required('header').some(({ name }) => name === 'X-Service-User'),
    isEmbed: operation.path.startsWith('/api/embed/'),
    isJson: Object.keys(ok?.[1].content ?? {}).includes('application/json'),
  };
  return { curl: curl(sample), ts: typescript(sample), python: python(sample) };
}

function idOf(path: string): string {
  return IDS.find(([part]) => path.includes(part))?.[1] ?? 'id_0192f1c4a7';
}

/** What must be there, and `limit` where there is nothing else to show. */
function queryOf({ operationId, parameters = [] }: Operation, required: readonly Parameter[]): readonly Parameter[] {
  if (operationId === 'getFeedProof') {
    return parameters.filter(({ name }) => name === 'sequence' || name === 'size');
  }
  return required.length > 0
    ? required
    : parameters.filter(({ name, in: place }) => place === 'query' && name === 'limit');
}

function headersOf({ hasUser, isEmbed, body, operation }: Sample, key: string): [string, string][] {
  const headers: [string, string][] = [];
  if (isEmbed) {
    headers.push(['Authorization', `Embed ${key}`]);
  } else if (operation.security !== undefined) {
    headers.push(['Authorization', `Bearer ${key}`]);
  }
  if (hasUser) {
    headers.push(['X-Service-User', USER]);
  }
  if (body !== undefined) {
    headers.push(['Content-Type', 'application/json']);
  }
  return headers;
}

function addressOf({ path, query }: Sample): string {
  const text = new URLSearchParams(query).toString();
  return `${path}${text === '' ? '' : `?${text}`}`;
}

function curl(sample: Sample): string {
  const { operation, body, isEmbed } = sample;
  const lines = [
    `curl${operation.method === 'GET' || (operation.method === 'POST' && body !== undefined) ? '' : ` -X ${operation.method}`} "${BASE}${addressOf(sample)}"`,
    ...headersOf(sample, isEmbed ? '$EMBED_TOKEN' : '$INLAY_API_KEY').map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function typescript(sample: Sample): string {
  return sample.isEmbed || sample.operation.security === undefined ? fetched(sample) : called(sample);
}

function fetched(sample: Sample): string {
  const headers = headersOf(sample, '$' + '{token}').map(([name, value]) =>
    name === 'Authorization' ? `    ${name}: \`${value}\`,` : `    '${name}': '${value}',`,
  );
  const options = [
    ...(sample.operation.method === 'GET' ? [] : [`  method: '${sample.operation.method}',`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(sample.body === undefined ? [] : [`  body: JSON.stringify(${indented(sample.body, 1)}),`]),
  ];
  const answer = `const answer = await fetch('${BASE}${addressOf(sample)}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`});`;
  return `${answer}\nconsole.log(await answer.${sample.isJson ? 'json' : 'text'}());`;
}

function called(sample: Sample): string {
  const { operation, query, body, hasUser, isJson } = sample;
  const options = [
    ...(operation.path.includes('{id}') ? [`  path: { id: '${idOf(operation.path)}' },`] : []),
    ...(Object.keys(query).length === 0 ? [] : [`  query: ${queryText(operation, query)},`]),
    ...(hasUser ? [`  user: '${USER}',`] : []),
    ...(body === undefined ? [] : [`  body: ${indented(body, 1)},`]),
  ];
  const method = isJson ? operation.method.toLowerCase() : 'stream';
  const call = `await client.${method}('${operation.path}'${options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`})`;
  return isJson
    ? `const answer = ${call};\nconsole.log(answer);`
    : `const answer = ${call};\nconsole.log(answer.status);`;
}

/** Numbers are numbers for the typed client. */
function queryText({ parameters = [] }: Operation, query: Readonly<Record<string, string>>): string {
  const entries = Object.entries(query).map(([name, value]) => {
    const type = parameters.find((one) => one.name === name)?.schema?.type;
    return `${name}: ${type === 'integer' || type === 'number' ? value : `'${value}'`}`;
  });
  return `{ ${entries.join(', ')} }`;
}

function indented(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2)
    .replace(/"([a-zA-Z]\w*)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

function python(sample: Sample): string {
  const { operation, body, isEmbed, isJson } = sample;
  const headers = headersOf(sample, isEmbed ? '{TOKEN}' : '{KEY}').map(
    ([name, value]) => `        "${name}": ${value.includes('{') ? 'f' : ''}"${value}",`,
  );
  return [
    'request = urllib.request.Request(',
    `    "${BASE}${addressOf(sample)}",`,
    ...(operation.method === 'GET' ? [] : [`    method="${operation.method}",`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${pythonValue(body)}).encode(),`]),
    ')',
    isJson ? 'print(json.load(urllib.request.urlopen(request)))' : 'print(urllib.request.urlopen(request).read())',
  ].join('\n');
}

function pythonValue(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
    .replace(/: (true|false|null)/g, (_, word: string) => `: ${{ true: 'True', false: 'False', null: 'None' }[word]}`);
}
