/** The request of an operation in curl, TypeScript and Python, from the example in the OpenAPI document. */
import type { SampleLanguage } from '../page/code-samples.ts';
import type { Operation, Parameter } from './described-api.ts';
import { python } from './python-sample.ts';
import { type Answer, addressOf, BASE, headersOf, type SampleRequest, USER } from './sample-request.ts';
import { typescript } from './typescript-sample.ts';

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

export function requestSamples(operation: Operation): Record<SampleLanguage, string> {
  const parameters = operation.parameters ?? [];
  const required = (place: string) => parameters.filter((one) => one.in === place && one.required === true);
  const [ok] = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const id = idOf(operation.path);
  const sample: SampleRequest = {
    operation,
    id,
    path: operation.path.replace('{id}', id),
    query: Object.fromEntries(queryOf(operation, required('query')).map(({ name }) => [name, VALUES[name] ?? 'value'])),
    body: Object.values(operation.requestBody?.content ?? {})[0]?.example,
    hasUser: required('header').some(({ name }) => name === 'X-Service-User'),
    isEmbed: operation.path.startsWith('/api/embed/'),
    answer: answerOf(Object.keys(ok?.[1].content ?? {})),
  };
  return { curl: curl(sample), ts: typescript(sample), python: python(sample) };
}

function answerOf(types: readonly string[]): Answer {
  if (types.includes('text/event-stream')) {
    return 'lines';
  }
  // An operation that also answers with a file does so by default.
  return types.every((type) => type === 'application/json') ? 'json' : 'file';
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

function curl(sample: SampleRequest): string {
  const { operation, body, isEmbed, answer } = sample;
  const lines = [
    `curl${answer === 'lines' ? ' -N' : ''}${operation.method === 'GET' || (operation.method === 'POST' && body !== undefined) ? '' : ` -X ${operation.method}`} "${BASE}${addressOf(sample)}"`,
    ...headersOf(sample, isEmbed ? '$EMBED_TOKEN' : '$INLAY_API_KEY').map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body)}'`]),
  ];
  return lines.join(' \\\n  ');
}
