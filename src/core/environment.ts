/**
 * The only file that reads the environment: variables, files that contain their values, and the addresses of databases.
 * A wrong value is reported in one line that names the variable.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readVenueSettings, type VenueSettings, venueVariables } from './venue-settings.ts';
import { originOfAddress } from './web-origin.ts';

export const VENUE_NAMES = ['paper', 'paper-2', 'kalshi', 'polymarket', 'gemini'] as const;
export type VenueName = (typeof VENUE_NAMES)[number];

export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

/** The folder that contains package.json, sql/ and fixtures/; the same from src/ and from dist/. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

const flag = z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true');
const webAddress = z.url({ protocol: /^https?$/, hostname: /.*/ });
const postgresUrl = z.string().refine(isDatabaseUrl, 'not an address such as postgres://user:password@host:5432/name');

const schema = z.object({
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  DATABASE_ADMIN_URL: postgresUrl.optional(),
  DATABASE_AUDIT_URL: postgresUrl.optional(),
  INLAY_DATA_DIR: z.string().min(1).default(join(projectRoot, '.inlay')),
  INLAY_SECRET: z.string().min(8, 'at least 8 characters').optional(),
  INLAY_SECRET_PREVIOUS: z.string().optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  INLAY_VENUES: z.string().default('paper'),
  ...venueVariables,
  INLAY_WEBHOOK_ALLOW_LOOPBACK: flag.optional(),
  INLAY_COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'a header name')
    .optional(),
  INLAY_TRUSTED_PROXIES: z.string().default(''),
  INLAY_PUBLIC_URL: z.string().default(''),
  INLAY_METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  INLAY_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  INLAY_WORKER_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  INLAY_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:\S+@\S+|https:\/\/\S+|tel:\S+)$/, 'an address such as mailto:security@host.example')
    .optional(),
  INLAY_SUPPORT: z
    .string()
    .regex(/^[^\r\n]{1,300}$/, 'one line of at most 300 characters')
    .optional(),
  INLAY_SOURCE_ADDRESSES: z.string().default(''),
  INLAY_OTLP_URL: webAddress.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: webAddress.optional(),
  OTEL_SDK_DISABLED: z.string().default('false'),
  OTEL_RESOURCE_ATTRIBUTES: z.string().default(''),
  OTEL_SERVICE_NAME: z.string().optional(),
  INLAY_HTTP_CONNECTIONS: z.coerce.number().int().positive().default(10_000),
  INLAY_ANONYMOUS_RATE: z.coerce.number().int().positive().default(3000),
  INLAY_API_URL: webAddress.optional(),
  INLAY_API_KEY: z.string().min(1).optional(),
  INLAY_PROFILE: z.string().min(1).optional(),
  INLAY_WEBHOOK_SECRET: z.string().min(1).optional(),
  INLAY_STREAM_CONNECTIONS: z.coerce.number().int().positive().default(5000),
  INLAY_STREAM_ADDRESS_CONNECTIONS: z.coerce.number().int().positive().default(250),
  INLAY_STREAM_SESSION_CONNECTIONS: z.coerce.number().int().positive().default(20),
  INLAY_STREAM_CONTRACTS: z.coerce.number().int().positive().default(200),
  INLAY_STREAM_INSTRUMENTS: z.coerce.number().int().positive().default(20000),
  INLAY_LOG_KEY_FILE: z.string().min(1).optional(),
  INLAY_LOG_KEY_FILE_PREVIOUS: z.string().min(1).optional(),
  INLAY_WEBHOOK_ATTEMPT_DAYS: z.coerce.number().int().positive().default(90),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  NODE_ENV: z.string().default('development'),
});

export interface Environment {
  readonly databaseUrl: string | undefined;
  /** Address without a pooler in between, for work that needs a session. If undefined, `databaseUrl` is such an address. */
  readonly databaseDirectUrl: string | undefined;
  readonly databaseOwnerUrl: string | undefined;
  /** Address for the service operator's commands: the login of an administrator. If undefined, they use the address of the service. */
  readonly databaseAdminUrl: string | undefined;
  readonly databaseAuditUrl: string | undefined;
  /** Absolute path of the folder for the embedded database, the keys of a development machine and the image cache. */
  readonly dataDir: string;
  readonly secret: string | undefined;
  readonly previousSecrets: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly venues: readonly VenueName[];
  readonly venueSettings: VenueSettings;
  readonly webhookAllowLoopback: boolean | undefined;
  /** In lower case. */
  readonly countryHeader: string | undefined;
  /** Addresses and ranges (`10.0.0.0/8`) of proxies that may state the client's address. */
  readonly trustedProxies: readonly string[];
  /** Origins at which browsers reach the service. */
  readonly publicOrigins: readonly string[];
  readonly metricsHost: string;
  /** If undefined, metrics are served on the API's port, to loopback peers only. */
  readonly metricsPort: number | undefined;
  /** If undefined, workers serve no metrics. */
  readonly workerMetricsPort: number | undefined;
  /** For `/.well-known/security.txt`; if undefined, there is none. */
  readonly securityContact: string | undefined;
  /** How partners reach support, one line for the documentation; if undefined, it names the service operator. */
  readonly support: string | undefined;
  /** Addresses and ranges from which webhooks come, for the documentation alone. */
  readonly sourceAddresses: readonly string[];
  /** Where spans are sent, with its path; if undefined, there is no tracing. */
  readonly tracesUrl: string | undefined;
  /** What the standard variables of OpenTelemetry say about this process, by the names of its attributes. */
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** The maximum number of connections of an API process. */
  readonly httpConnections: number;
  /** Requests per minute from one address to routes that need no key. */
  readonly anonymousRate: number;
  /** Without a trailing slash. If undefined, the address of a profile or the local default applies. */
  readonly apiUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly profile: string | undefined;
  /** Signing secret of an endpoint, for a partner who checks a signature. */
  readonly webhookSecret: string | undefined;
  readonly streamConnections: number;
  readonly streamAddressConnections: number;
  readonly streamSessionConnections: number;
  readonly streamContracts: number;
  readonly streamInstruments: number;
  readonly webhookAttemptDays: number;
  /** PEM file with the Ed25519 key that signs checkpoints of feeds. If undefined, a key is derived from the secret. */
  readonly logKeyFile: string | undefined;
  /** The same for the key that signed before, until every log has changed to the new one. */
  readonly previousLogKeyFile: string | undefined;
  readonly logLevel: string;
  readonly production: boolean;
}

/** The id of a key and the file that holds the rest of it. */
const KEYS_OF_TWO_SETTINGS = [
  ['INLAY_KALSHI_KEY_ID', 'INLAY_KALSHI_PRIVATE_KEY_FILE'],
  ['INLAY_GEMINI_KEY_ID', 'INLAY_GEMINI_SECRET_FILE'],
] as const;

/**
 * @param variables usually `process.env`
 * @throws EnvironmentError with one line that names the variable and the expected value
 */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const parsed = schema.safeParse(readFiles(variables), { error: whatIsAllowed });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new EnvironmentError(`${String(issue?.path[0])}: ${issue?.message ?? 'not a valid value'}`);
  }
  const values = parsed.data;
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new EnvironmentError('DATABASE_DIRECT_URL: set DATABASE_URL too');
  }
  for (const [id, file] of KEYS_OF_TWO_SETTINGS) {
    if ((values[id] === undefined) !== (values[file] === undefined)) {
      const [given, missing] = values[id] === undefined ? [file, id] : [id, file];
      throw new EnvironmentError(`${given}: set ${missing} too`);
    }
  }
  if (values.NODE_ENV === 'production') {
    requireStrongSecret(values.INLAY_SECRET);
  }
  return {
    databaseUrl: values.DATABASE_URL,
    databaseDirectUrl: values.DATABASE_DIRECT_URL,
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    databaseAdminUrl: values.DATABASE_ADMIN_URL,
    databaseAuditUrl: values.DATABASE_AUDIT_URL,
    dataDir: resolve(values.INLAY_DATA_DIR),
    secret: values.INLAY_SECRET,
    previousSecrets: splitList(values.INLAY_SECRET_PREVIOUS ?? ''),
    host: values.HOST,
    port: values.PORT,
    venues: readVenues(values.INLAY_VENUES),
    venueSettings: readVenueSettings(values),
    webhookAllowLoopback: values.INLAY_WEBHOOK_ALLOW_LOOPBACK,
    countryHeader: values.INLAY_COUNTRY_HEADER?.toLowerCase(),
    trustedProxies: readRanges('INLAY_TRUSTED_PROXIES', values.INLAY_TRUSTED_PROXIES),
    publicOrigins: readOrigins(values.INLAY_PUBLIC_URL),
    metricsHost: values.INLAY_METRICS_HOST,
    metricsPort: values.INLAY_METRICS_PORT,
    workerMetricsPort: values.INLAY_WORKER_METRICS_PORT,
    securityContact: values.INLAY_SECURITY_CONTACT,
    support: values.INLAY_SUPPORT,
    sourceAddresses: readRanges('INLAY_SOURCE_ADDRESSES', values.INLAY_SOURCE_ADDRESSES),
    tracesUrl: readTracesUrl(values),
    resourceAttributes: readAttributes(values.OTEL_RESOURCE_ATTRIBUTES, values.OTEL_SERVICE_NAME),
    httpConnections: values.INLAY_HTTP_CONNECTIONS,
    anonymousRate: values.INLAY_ANONYMOUS_RATE,
    apiUrl: values.INLAY_API_URL?.replace(/\/+$/, ''),
    apiKey: values.INLAY_API_KEY,
    profile: values.INLAY_PROFILE,
    webhookSecret: values.INLAY_WEBHOOK_SECRET,
    streamConnections: values.INLAY_STREAM_CONNECTIONS,
    streamAddressConnections: values.INLAY_STREAM_ADDRESS_CONNECTIONS,
    streamSessionConnections: values.INLAY_STREAM_SESSION_CONNECTIONS,
    streamContracts: values.INLAY_STREAM_CONTRACTS,
    streamInstruments: values.INLAY_STREAM_INSTRUMENTS,
    webhookAttemptDays: values.INLAY_WEBHOOK_ATTEMPT_DAYS,
    logKeyFile: values.INLAY_LOG_KEY_FILE,
    previousLogKeyFile: values.INLAY_LOG_KEY_FILE_PREVIOUS,
    logLevel: values.LOG_LEVEL,
    production: values.NODE_ENV === 'production',
  };
}

/** The message of a failed check for which the variable's own schema has none. */
function whatIsAllowed(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'too_small':
      return `not ${issue.minimum} or more`;
    case 'too_big':
      return `not ${issue.maximum} or less`;
    case 'invalid_value':
      return `not one of ${issue.values.join(', ')}`;
    case 'invalid_format':
      return 'not an address such as http://127.0.0.1:8080';
    default:
      return 'not a whole number';
  }
}

function readFiles(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const present = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  try {
    return withSettingFiles(Object.fromEntries(present), new Set(Object.keys(schema.shape)));
  } catch (error) {
    throw new EnvironmentError(error instanceof Error ? error.message : String(error));
  }
}

function requireStrongSecret(secret: string | undefined): void {
  if (secret === undefined) {
    throw new EnvironmentError('INLAY_SECRET: required if NODE_ENV=production');
  }
  if (isWeakSecret(secret)) {
    throw new EnvironmentError(
      'INLAY_SECRET: at least 32 random bytes if NODE_ENV=production, for example the output of "openssl rand -hex 32"',
    );
  }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const TRACES_PATH = '/v1/traces';

/** The address in INLAY_OTLP_URL. Without it the standard variables count, of which the one for traces has the whole path. */
function readTracesUrl(values: z.infer<typeof schema>): string | undefined {
  if (values.INLAY_OTLP_URL !== undefined) {
    return withTracesPath(values.INLAY_OTLP_URL);
  }
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces, OTEL_EXPORTER_OTLP_ENDPOINT: all } = values;
  if (values.OTEL_SDK_DISABLED.toLowerCase() === 'true') {
    return undefined;
  }
  return traces ?? (all === undefined ? undefined : withTracesPath(all));
}

function withTracesPath(address: string): string {
  const base = address.replace(/\/+$/, '');
  return base.endsWith(TRACES_PATH) ? base : base + TRACES_PATH;
}

function readAttributes(text: string, serviceName: string | undefined): Record<string, string> {
  const attributes = splitList(text).map((pair) => {
    const [, name = '', value = ''] = /^([^=]*[^=\s])\s*=\s*(.*)$/.exec(pair) ?? [];
    const decoded = decode(value);
    if (name === '' || decoded === undefined) {
      throw new EnvironmentError(`OTEL_RESOURCE_ATTRIBUTES: ${pair} is not a pair such as service.namespace=markets`);
    }
    return [name, decoded] as const;
  });
  return Object.fromEntries(
    serviceName === undefined ? attributes : [...attributes, ['service.name', serviceName] as const],
  );
}

/** @returns undefined if the text is not percent-encoded */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readOrigins(text: string): string[] {
  return splitList(text).map((address) => {
    const origin = originOfAddress(address);
    if (origin === null) {
      throw new EnvironmentError(`INLAY_PUBLIC_URL: ${address} is not an https address, or an http one on loopback`);
    }
    return origin;
  });
}

function readRanges(variable: string, text: string): string[] {
  return splitList(text).map((range) => {
    const [address = '', prefix, ...rest] = range.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
    if (isIP(address) === 0 || !fits || rest.length > 0) {
      throw new EnvironmentError(`${variable}: ${range} is neither an address nor a range such as 10.0.0.0/8`);
    }
    return range;
  });
}

function readVenues(text: string): VenueName[] {
  return splitList(text).map((name) => {
    const known = VENUE_NAMES.find((venue) => venue === name);
    if (known === undefined) {
      throw new EnvironmentError(`INLAY_VENUES: ${name} is not one of ${VENUE_NAMES.join(', ')}`);
    }
    return known;
  });
}

const SUFFIX = '_FILE';

/**
 * Adds settings from files: `NAME_FILE` names a file that contains the value of `NAME`, because containers and systemd
 * provide secrets in this way. A variable that is set itself wins over its file.
 * @param known names of all settings; one that itself ends in `_FILE` keeps its own meaning
 * @throws Error naming the variable if its file cannot be read
 */
function withSettingFiles(
  variables: Readonly<Record<string, string>>,
  known: ReadonlySet<string>,
): Record<string, string> {
  const all = { ...variables };
  for (const [name, path] of Object.entries(variables)) {
    const setting = name.slice(0, -SUFFIX.length);
    if (name.endsWith(SUFFIX) && !known.has(name) && known.has(setting) && all[setting] === undefined) {
      all[setting] = readValue(name, path);
    }
  }
  return all;
}

/** The content of the file without the line break that editors add. */
function readValue(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new Error(`${name}: ${path} cannot be read (${code})`);
  }
}

const LEAST_BYTES = 32;
const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Whether a root secret can be guessed. The root secret protects every embed token and webhook secret of a deployment.
 * True for a secret that is too short for 32 bytes in its alphabet, a repetition, or a text with too few different
 * characters to be random: 64 random hex digits have fewer than 10 different ones about once in a million, and 43
 * random base64 characters practically never have fewer than 16.
 */
export function isWeakSecret(secret: string): boolean {
  const text = secret.trim();
  const bits = HEX.test(text) ? 4 : BASE64.test(text) ? 6 : 8;
  const distinct = new Set(text).size;
  return text.length * bits < LEAST_BYTES * 8 || distinct < (bits === 4 ? 10 : 16) || /^(.{1,64}?)\1+$/.test(text);
}

export interface DatabaseHost {
  readonly name: string;
  readonly port: number;
}

const STATES = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** The server that is wanted among several (`target_session_attrs`). */
export type WantedState = (typeof STATES)[number];

/**
 * The address of a database: postgres://user:password@a:5432,b:5432/name?target_session_attrs=read-write. It names one
 * host or several.
 */
export interface DatabaseUrl {
  readonly hosts: readonly DatabaseHost[];
  readonly wanted: WantedState;
  /** The role to log in as; empty if the address contains none. */
  readonly user: string;
  /** Whether statements may be prepared: false with `prepare=false`, for poolers that cannot keep prepared statements. */
  readonly prepared: boolean;
  /** Hosts and ports, for messages. */
  readonly where: string;
  /** The same address with this host only, for a library that does not support several hosts. */
  withHost(host: DatabaseHost): string;
}

const ADDRESS = /^(postgres(?:ql)?:\/\/)((?:[^@/?]*@)?)([^/?]*)(.*)$/;
const DEFAULT_PORT = 5432;
const STATE_PARAMETER = 'target_session_attrs';

/** @throws Error if the text is not an address of PostgreSQL. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme = '', login = '', where = '', rest = ''] = ADDRESS.exec(text) ?? [];
  const at = (host: string) => new URL(`${scheme}${login}${host}${rest}`);
  const hosts = where.split(',').map((host) => {
    const { hostname, port } = at(host);
    return { name: hostname, port: port === '' ? DEFAULT_PORT : Number(port) };
  });
  if (scheme === '' || (hosts.length > 1 && hosts.some(({ name }) => name === ''))) {
    throw new Error('not an address of PostgreSQL');
  }
  const first = at(where.split(',')[0] ?? '');
  const wanted = STATES.find((state) => state === (first.searchParams.get(STATE_PARAMETER) ?? 'any'));
  if (wanted === undefined) {
    throw new Error(`${STATE_PARAMETER} is one of ${STATES.join(', ')}`);
  }
  return {
    hosts,
    wanted,
    user: decodeURIComponent(first.username),
    prepared: first.searchParams.get('prepare') !== 'false',
    where,
    withHost: ({ name, port }) => {
      const single = at(`${name}:${port}`);
      single.searchParams.delete(STATE_PARAMETER);
      return single.href;
    },
  };
}

function isDatabaseUrl(text: string): boolean {
  try {
    readDatabaseUrl(text);
    return true;
  } catch {
    return false;
  }
}
