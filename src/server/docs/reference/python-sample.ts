/** A request in Python, with its standard library alone. */
import { type Answer, addressOf, BASE, headersOf, type SampleRequest } from './sample-request.ts';

const PYTHON_PRINTS: Readonly<Record<Answer, readonly string[]>> = {
  json: ['print(json.load(urllib.request.urlopen(request)))'],
  lines: ['for line in urllib.request.urlopen(request):', '    print(line.decode(), end="")'],
  file: ['print(urllib.request.urlopen(request).read())'],
};

export function python(sample: SampleRequest): string {
  const { operation, body, isEmbed, answer } = sample;
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
    ...PYTHON_PRINTS[answer],
  ].join('\n');
}

function pythonValue(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('":', '": ')
    .replaceAll(',"', ', "')
    .replace(/: (true|false|null)/g, (_, word: string) => `: ${{ true: 'True', false: 'False', null: 'None' }[word]}`);
}
